"""A web of made-up hosts behind a proxy on loopback, and a crawl of it."""

from in_archives import fetches_in
from lasting import engine_of
from proxied import ProxiedWeb

from corpulyzer.api.corpus import create, open_corpus
from corpulyzer.corpus import rounds
from corpulyzer.jobs.crawl.loop import Crawl
from corpulyzer.web.seeds import Candidate, add

URDU = "یہ اردو زبان میں لکھا گیا ایک جملہ ہے جس میں خبریں اور مضامین شامل ہیں اور لوگ اسے پڑھتے ہیں۔ "


class Web(ProxiedWeb):
    """`answers` has status, headers and body of a URL; others are not found."""

    def __init__(self):
        super().__init__()
        self.answers = {}

    def answer(self, url):
        return self.answers.get(url, (404, {}, b"not here"))

    def page(self, url, *links):
        own = "".join("abcdefghij"[ord(letter) % 10] for letter in url)
        text = "".join(f"<p>{URDU * 3} {own} {'mnop'[n]}</p>" for n in range(4))
        anchors = "".join(f'<a href="{link}">x</a> ' for link in links)
        body = f"<html><body><article>{text}</article>{anchors}</body></html>"
        self.answers[url] = (200, {"Content-Type": "text/html; charset=utf-8"}, body.encode())


def crawler(web, folder):
    """Crawls the web from seeds; called again it goes on. Returns how it ended, and all that it recorded."""

    def make():
        create("ur", folder)

    make()
    flags = {
        "crawl.contact": "me@example.org",
        "fetch.proxy": web.proxy,
        "fetch.delay_seconds": 0.0,
        "fetch.allow_private": True,
        "frontier.strategy": "breadth",
        "engine.workers": 1,
    }

    def run(*seeds, on_event=lambda _name, _numbers: None, only_seeds=False, **more):
        named = {name.replace("__", "."): value for name, value in more.items()}
        corpus = run.corpus = open_corpus(folder, flags | named)
        if seeds:
            number = rounds.open_for_seeds(corpus.storage)
            add(corpus.storage, [Candidate(url) for url in seeds], "command", round=number)
        if only_seeds:
            return corpus, None, []
        engine = engine_of(corpus)
        ended = Crawl(corpus, engine, on_event=on_event).run()
        return corpus, ended, fetches_in(corpus)

    run.create = make
    return run
