"""Which addresses of common software are left out or put off, and that none of them is a page."""

import pytest

from corpulyzer.native import compiled
from corpulyzer.web.frontier.traps import OTHER_VIEW, PAGE_LIST, Traps
from corpulyzer.web.frontier.views import is_list, is_other_view, is_plain

PAGES = """
index.php?title=Ljubljana
index.php?title=Pogovor:Ljubljana
index.php/Ljubljana
wiki/Ljubljana
wiki/Kategorija:Mesta
wiki/Special_relativity
wiki/Spider-Man:_Homecoming
w/index.php?title=Ljubljana&redirect=no
?p=123
?page_id=7
?p=123&lang=sl
2023/05/09/naslov-zapisa/
2023/05/naslov-zapisa
category/reka/most-cez-savo.html
category/most-cez-savo-512.html
report.php?id=5
doku.php?id=kraji:ljubljana
doku.php
kraji/ljubljana
viewtopic.php?f=2&t=55
viewforum.php?f=2
node/12
node/12/editorial
index.php?option=com_content&view=article&id=5
index.php?action=article&id=5
index.php?do=news&id=5
index.php?mode=post&id=5
t/naslov-teme/123
story?rev=2&id=5
zgodovina/login-v-sistem.html
registers/2023/
tag/reka/512
sitemap.xml
wp-sitemap-posts-post-1.xml
?sitemap=posts&sitemap-subtype=post&paged=1
post-sitemap2.xml
sitemaps/sitemap-wiki-NS_0-0.xml
sitemaps/sitemap-wiki-NS_1-0.xml
sitemap_products_1.xml?from=1&to=9
""".split()
OTHER_VIEWS = """
index.php?title=Ljubljana&action=edit
index.php?action=history&title=Ljubljana
w/index.php?title=Ljubljana&oldid=148
w/index.php?title=Ljubljana&diff=prev&oldid=148
index.php?title=Special:UserLogin&returnto=Ljubljana
index.php?title=Special%3ARecentChanges
index.php/Special:AllPages
wiki/Posebno:KajSePovezujeSem/Ljubljana
wiki/%D0%9F%D0%BE%D1%81%D0%B5%D0%B1%D0%BD%D0%BE:Search
wiki/%E7%89%B9%E6%AE%8A:%E6%9C%80%E8%BF%91
wiki/Ljubljana?printable=yes
2023/05/09/naslov/?replytocom=4
2023/05/09/naslov/comment-page-2/
2023/05/09/naslov/trackback/
?p=40&cpage=1
?attachment_id=19
wp-login.php?redirect_to=x
wp-admin/
wp-json/wp/v2/posts/7
index.php?rest_route=/wp/v2/posts/65
comments/feed/
kraji/ljubljana?do=edit
doku.php?id=kraji:ljubljana&do=revisions
doku.php?id=kraji:ljubljana&rev=1673256600
doku.php?do=export_raw&id=start
_export/xhtml/kraji/ljubljana
start?do=login&sectok=
forum/posting.php?mode=reply&t=5
forum/ucp.php?mode=login
user/login?destination=node/5
node/5/revisions
comment/reply/5
index.php?option=com_mailto&tmpl=component&link=abc
index.php?option=com_content&view=article&id=5&tmpl=component&print=1
FrontPage?action=AttachFile
login.php
sign-up/
""".split()
LISTS = """
page/3/
novice/page/3
tag/reka/
category/kraji/
sl/category/kraji/
author/urednik
2023/
2023/05/
2023/05/09/
?cat=4
?tag=reka&paged=2
?m=202305
index.php?paged=3
?author=1
kraji/ljubljana?do=index
wp-sitemap-taxonomies-post_tag-1.xml
wp-sitemap-users-1.xml
?sitemap=taxonomies&sitemap-subtype=category&paged=1
?sitemap=users&paged=1
category-sitemap.xml
post_tag-sitemap3.xml
sitemaps/sitemap-wiki-NS_14-0.xml
sitemaps/sitemap-wiki-NS_6-0.xml.gz
""".split()


@pytest.mark.parametrize("rest", PAGES)
def test_a_page_is_neither_left_out_nor_put_off(rest):
    url = f"http://a.si/{rest}"
    assert not is_other_view(url) and not is_list(url)


@pytest.mark.parametrize("rest", OTHER_VIEWS)
def test_another_view_of_a_page_is_left_out_unless_the_settings_want_it(rest):
    url = f"http://a.si/{rest}"
    assert Traps()(url) == OTHER_VIEW
    assert Traps(known_views=False)(url) == ""


@pytest.mark.parametrize("rest", LISTS)
def test_a_list_of_pages_is_put_off_and_not_left_out(rest):
    url = f"http://a.si/{rest}"
    assert (Traps()(url), Traps().put_off(url)) == ("", PAGE_LIST)
    assert Traps(known_views=False).put_off(url) == ""


@pytest.mark.skipif(compiled is None, reason="only compiled code tells plain addresses")
def test_only_a_plain_address_is_spared_a_closer_look():
    plain = ("", "kraji/ljubljana", "2023/05/09/naslov-zapisa/", "news/512.html", "1999/12/31/a")
    others = ("?p=1", "a/b/a", "a/b/c/d/e/f", "1899/05/a", "a/5f3a91c2d4b7e8f60", "wiki/A:B", "a;b", "feeds", "2023/05/")
    assert [rest for rest in (*plain, *others) if is_plain(f"http://a.si/{rest}", 5)] == list(plain)
    assert not is_plain("http://a.si/kraji/ljubljana", 1)
    assert not is_plain("http://a.si?q=/a", 5)
