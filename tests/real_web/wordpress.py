"""WordPress: posts with comments and threaded replies, tags, categories, archives, a calendar, feeds, sitemaps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from articles import Article
from servers import SHARE, Host, Servers, run

SOURCE = SHARE / "wordpress"
SCRIPT = Path(__file__).parent / "fill_wordpress.php"


def wordpress(
    servers: Servers, name: str, written: Sequence[Article], theme: str, permalinks: str
) -> tuple[Host, dict[str, Article]]:
    """A blog with these articles, and the address of each. `permalinks` is WordPress' own setting."""
    root = servers.folder / name
    _link(root)
    database = name.replace(".", "_")
    (root / "prepend.php").write_text(f"<?php define('ABSPATH', '{root}/');\n")
    (root / "wp-config.php").write_text(_config(servers, root, name, database))
    posts = [
        {
            "title": a.title,
            "paragraphs": a.paragraphs,
            "language": a.language,
            "slug": a.slug,
            "date": a.date.strftime("%Y-%m-%d %H:%M:%S"),
            "comments": a.comments,
            "number": a.number,
            "closed": a.closed,
        }
        for a in written
    ]
    asked = {"host": name, "theme": theme, "permalinks": permalinks, "posts": posts, "database": database}
    (servers.folder / f"{name}.json").write_text(json.dumps(asked))
    said = run(
        *("php", "-d", f"auto_prepend_file={root}/prepend.php", "-d", "sendmail_path=/bin/true", str(SCRIPT)),
        *(str(servers.folder / f"{name}.json"), str(servers.database)),
    )
    addresses = json.loads(said.splitlines()[-1])
    # With plain addresses WordPress rewrites nothing, and answers no robots.txt of its own.
    rules = f"location / {{ try_files $uri $uri/ {'/index.php$is_args$args' if permalinks else '=404'}; }}\n"
    closed = [url for url, article in zip(addresses, written, strict=True) if article.closed]
    if not permalinks:
        lines = ["User-agent: *", *(f"Disallow: {url.removeprefix(f'http://{name}')}$" for url in closed)]
        lines.append(f"Sitemap: http://{name}/?sitemap=index")
        (root / "robots.txt").write_text("\n".join(lines) + "\n")
    host = Host(name, root, rules, f"{root}/prepend.php")
    return host, dict(zip(addresses, written, strict=True))


def _link(root: Path) -> None:
    """A folder with WordPress' own files, which are left where they are, and with its content apart."""
    root.mkdir()
    for entry in SOURCE.iterdir():
        if entry.name not in ("wp-config.php", "wp-content"):
            (root / entry.name).symlink_to(entry)
    (root / "wp-content" / "uploads").mkdir(parents=True)
    (root / "wp-content" / "plugins").mkdir()
    (root / "wp-content" / "themes").symlink_to(SOURCE / "wp-content" / "themes")


def _config(servers: Servers, root: Path, name: str, database: str) -> str:
    """The settings file. WordPress asks no other host, and does no work of its own beside requests."""
    constants = {
        "DB_NAME": database,
        "DB_USER": "root",
        "DB_PASSWORD": "",
        "DB_HOST": f"localhost:{servers.database}",
        "DB_CHARSET": "utf8mb4",
        "WP_HOME": f"http://{name}",
        "WP_SITEURL": f"http://{name}",
        "WP_CONTENT_DIR": str(root / "wp-content"),
        "AUTH_KEY": "a",
        "NONCE_KEY": "n",
    }
    lines = [f"define('{key}', '{value}');" for key, value in constants.items()]
    lines += [
        f"define('{key}', true);"
        for key in ("DISABLE_WP_CRON", "WP_HTTP_BLOCK_EXTERNAL", "AUTOMATIC_UPDATER_DISABLED")
    ]
    return (
        "<?php\n" + "\n".join(lines) + "\n$table_prefix = 'wp_';\nrequire_once ABSPATH . 'wp-settings.php';\n"
    )
