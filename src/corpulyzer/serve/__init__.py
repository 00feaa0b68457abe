"""The explorer: a web application on this machine in which a corpus is looked at, searched and audited."""
