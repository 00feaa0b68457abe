"""The built-in web: text of our own in seven languages, page layouts, and archives made of them."""
