"""nginx, PHP and MariaDB as processes of ours: below one folder, on one port of loopback, ended by their ids."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SHARE = Path("/usr/share")
FOLDERS = (
    *(SHARE / name for name in ("wordpress", "mediawiki", "dokuwiki")),
    *(SHARE / f"wordpress/wp-content/themes/twentytwenty{year}" for year in ("one", "three")),
)
PROGRAMS = ("nginx", "php", "mariadbd", "mariadb-install-db")
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
PATIENCE_SECONDS = 60
PHP_PROCESSES = 4


def missing() -> list[str]:
    """What is not on this machine and would be needed."""
    programs = [name for name in PROGRAMS if not shutil.which(name, path=PATH)]
    return (
        programs + [str(folder) for folder in FOLDERS if not folder.is_dir()] + ([] if fpm() else ["php-fpm"])
    )


def fpm() -> str:
    """The path of PHP's FastCGI server, whose name has PHP's version in it; empty if there is none."""
    found = (path for folder in PATH.split(":") if folder for path in sorted(Path(folder).glob("php-fpm*")))
    return str(next(found, ""))


@dataclass(frozen=True)
class Host:
    """A host of the web: how nginx serves it, and what PHP is told.

    `rules` are lines of nginx' own language, `talk` addresses of pages with text beside the articles.
    """

    name: str
    root: Path
    rules: str
    prepend: str = ""
    variables: dict[str, str] = field(default_factory=dict)
    talk: tuple[str, ...] = ()


@dataclass
class Servers:
    """The processes. Hosts are told apart by their names, as a proxy is asked for them: no name is looked up."""

    folder: Path
    port: int = 0
    _running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def __enter__(self) -> Servers:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        return self

    def __exit__(self, *_: object) -> None:
        for process in reversed(self._running):
            process.terminate()
        for process in reversed(self._running):
            try:
                process.wait(PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    @property
    def proxy(self) -> str:
        """What a crawler is given as its proxy."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def database(self) -> Path:
        """The socket of MariaDB."""
        return self.folder / "mariadb.sock"

    def start_database(self) -> None:
        """MariaDB without a password, and without a port."""
        data = self.folder / "mariadb"
        user = f"--user={os.environ.get('USER') or 'root'}" if os.getuid() == 0 else "--user="
        made = ["mariadb-install-db", "--no-defaults", f"--datadir={data}", "--skip-test-db"]
        run(*made, "--auth-root-authentication-method=normal", *([user] if os.getuid() == 0 else []))
        self._start(
            *(
                "mariadbd",
                "--no-defaults",
                f"--datadir={data}",
                f"--socket={self.database}",
                "--skip-networking",
            ),
            *("--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=32M", "--skip-log-bin"),
            *([user] if os.getuid() == 0 else []),
            ready=self.database,
        )

    def start_web(self, hosts: Iterable[Host]) -> None:
        """PHP and nginx, for these hosts."""
        settings, sock = self.folder / "php-fpm.conf", self.folder / "php.sock"
        settings.write_text(
            f"[global]\nerror_log={self.folder}/php-fpm.log\ndaemonize=no\n[www]\nlisten={sock}\npm=static\n"
            f"pm.max_children={PHP_PROCESSES}\nclear_env=no\n"
            f"php_admin_value[error_log]={self.folder}/php.log\nphp_admin_value[sendmail_path]=/bin/true\n"
        )
        self._start(fpm(), "-R", "-F", "-y", str(settings), ready=sock)
        settings = self.folder / "nginx.conf"
        settings.write_text(self._nginx(list(hosts), sock))
        self._start("nginx", "-e", f"{self.folder}/nginx.log", "-c", str(settings), ready=self.port)

    def requests(self) -> list[tuple[str, str, int, str]]:
        """What was asked for, as the server wrote it down: host, path with query, status, type."""
        lines = (self.folder / "access.log").read_text().splitlines()
        return [
            (h, path, int(status), mime) for h, path, status, mime in (line.split("\t") for line in lines)
        ]

    def _nginx(self, hosts: Sequence[Host], sock: Path) -> str:
        temporary = "".join(
            f"{kind}_temp_path {self.folder}/nginx-{kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        return (
            ("user root;\n" if os.getuid() == 0 else "")
            + f"daemon off;\nworker_processes 1;\npid {self.folder}/nginx.pid;\nevents {{}}\n"
            f"http {{\n{temporary}include /etc/nginx/mime.types;\ngzip on;\nserver_names_hash_bucket_size 128;\n"
            "log_format asked escape=none '$host\t$request_uri\t$status\t$sent_http_content_type';\n"
            f"access_log {self.folder}/access.log asked;\n"
            f"server {{ listen 127.0.0.1:{self.port} default_server; return 404; }}\n"
            + "".join(self._server(host, sock) for host in hosts)
            + "}\n"
        )

    def _server(self, host: Host, sock: Path) -> str:
        told = {"SERVER_PORT": "80", "HTTP_PROXY": "", **host.variables}
        if host.prepend:
            told["PHP_VALUE"] = f"auto_prepend_file={host.prepend}"
        parameters = "".join(f'fastcgi_param {name} "{value}";\n' for name, value in told.items())
        return (
            f"server {{\nlisten 127.0.0.1:{self.port};\nserver_name {host.name};\nroot {host.root};\n"
            f"index index.php doku.php;\n{host.rules}\n"
            "location ~ [.]php(/|$) {\nfastcgi_split_path_info ^(.+?[.]php)(/.*)?$;\n"
            "include /etc/nginx/fastcgi_params;\nfastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;\n"
            f"fastcgi_param PATH_INFO $fastcgi_path_info;\n{parameters}fastcgi_pass unix:{sock};\n}}\n}}\n"
        )

    def _start(self, *command: str, ready: Path | int) -> None:
        """Start a process and return as soon as it takes connections at `ready`, a socket or a port."""
        log = self.folder / f"{Path(command[0]).name}.out"
        with log.open("wb") as output:
            process = subprocess.Popen(command, stdout=output, stderr=output, env=environment())
        self._running.append(process)
        last = time.monotonic() + PATIENCE_SECONDS
        while not _answers(ready):
            if process.poll() is not None or time.monotonic() > last:
                raise RuntimeError(f"{command[0]} did not start: {log.read_text()[-2000:]}")
            time.sleep(0.05)


def run(*command: str, entered: str = "", **variables: str) -> str:
    """What a command writes; it fails if the command does."""
    told = environment() | variables
    done = subprocess.run(
        command, env=told, input=entered, capture_output=True, text=True, timeout=600, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def environment() -> dict[str, str]:
    """The variables for our processes: nothing that would send them to a proxy."""
    kept = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    return kept | {"PATH": PATH}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


def _answers(ready: Path | int) -> bool:
    kind, address = (
        (socket.AF_INET, ("127.0.0.1", ready)) if isinstance(ready, int) else (socket.AF_UNIX, str(ready))
    )
    with socket.socket(kind) as tried:
        return tried.connect_ex(address) == 0
