"""A page that scripts fill is told from one that merely has scripts."""

import pytest

from corpulyzer.page.extract import Extract
from corpulyzer.page.extract.decode import decode
from corpulyzer.page.extract.parse import parse
from corpulyzer.records import Fetch, Page

SENTENCE = "Danas je u gradu otvoren novi most, koji spaja dvije obale rijeke. "
ANALYTICS = "<script async src=//example.org/analytics.js></script><noscript><iframe src=//example.org/n></iframe></noscript>"

SHELLS = {
    "react": "<title>App</title><body><noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div><script src=/static/js/main.js></script>",
    "vite": "<body><div id=app></div><script type=module src=/src/main.js></script>",
    "angular": "<body><app-root>Loading…</app-root><script src=runtime.js type=module></script>",
    "vue": "<body><noscript><strong>We're sorry but x doesn't work properly without JavaScript enabled.</strong></noscript><div class=wrapper></div><script src=/js/app.js></script>",
    "nuxt": "<body><div id=__nuxt><style>.l{}</style><div class=loading><svg></svg></div></div><script>window.__NUXT__={config:{}}</script><script src=/_nuxt/a.js></script>",
    "next": '<body><div id=__next><div class=spinner></div></div><script id=__NEXT_DATA__ type=application/json>{"props":{}}</script>',
    "gatsby": "<body><div id=___gatsby></div><script src=/app.js></script>",
    "flutter": "<title>x</title><body><script src=flutter_bootstrap.js async></script></body>",
    "around a menu": "<body><nav><a href=/a>Naslovnica</a><a href=/b>Vijesti</a></nav><div id=app></div><footer>Sva prava pridržana, 2024.</footer><script src=/app.js></script>",
    "russian": "<body><noscript>Для работы сайта включите JavaScript.</noscript><main></main><script src=/app.js></script>",
    "a notice": "<body><p>Please enable JavaScript and cookies to continue.</p><script src=/challenge.js></script>",
}
ORDINARY = {
    "short": f"<body><h1>Kontakt</h1><p>{SENTENCE}</p>{ANALYTICS}<script src=jquery.js></script>",
    "short, with a notice for few": f"<body><h1>Most</h1><p>{SENTENCE * 2}</p><noscript>Uključite JavaScript.</noscript><script src=a.js></script>",
    "long, with an empty root": f"<body><div id=app></div><article><p>{SENTENCE * 9}</p></article><script src=a.js></script>",
    "pictures": "<body><img src=1.jpg><img src=2.jpg><script src=gallery.js></script>",
    "frames": "<frameset cols=2><frame src=a.html></frameset><script src=a.js></script>",
    "a redirect": "<script>location.href='/hr/'</script>",
    "no scripts": "<body><div id=root></div>",
    "a form": "<body><form><input name=q></form><script src=a.js></script>",
    "a tutorial": "<body><h1>JavaScript</h1><ul>"
    + "<li><a href=/x>JavaScript za početnike</a>" * 9
    + "</ul><script src=a.js></script>",
    "links": "<body><ul>" + f"<li><a href=/x>{SENTENCE}</a>" * 20 + "</ul><script src=a.js></script>",
}


def extracted(html):
    page = Page("http://a.example/", body=html.encode(), mime="text/html")
    return Extract()(parse(decode(page)))


@pytest.mark.parametrize("name", SHELLS)
def test_an_empty_shell_needs_a_browser(name):
    assert extracted(SHELLS[name]).labels["needs_browser"]


@pytest.mark.parametrize("name", ORDINARY)
def test_a_page_that_shows_what_it_has_needs_none(name):
    assert "needs_browser" not in extracted(ORDINARY[name]).labels


def test_what_a_browser_made_does_not_need_one_again():
    fetch = Fetch(1, 2, "http://a.example/", "a.example", 1, "a", 0, 9, kind="conversion", purpose="rendered")
    page = Page("http://a.example/", body=SHELLS["vite"].encode(), mime="text/html", fetch=fetch)
    labels = Extract()(parse(decode(page))).labels
    assert labels["text_from"] == "rendered"
    assert "needs_browser" not in labels
