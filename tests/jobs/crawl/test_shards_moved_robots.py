"""Several fetchers: a robots.txt that is on a site of which the list has nothing is asked for a round later."""

import pytest

from corpulyzer.web.fetch.shards.lease import shard_of

RULES = b"User-agent: *\nDisallow: /2\n"


@pytest.mark.parametrize("shard", [0, 1])
def test_a_robots_txt_that_has_moved_leads_to_no_site_that_wants_to_be_left_alone(web, crawl, shard):
    names = [f"s{number}.test" for number in range(60)]
    free, first, second, start = [name for name in names if shard_of(name, 2) == 0][:4]
    busy = [name for name in names if shard_of(name, 2) == shard][4]
    web.page(f"http://{start}/0", f"http://{first}/1", f"http://{second}/1", f"http://{second}/2")
    web.answers[f"http://{busy}/0"] = (429, {"Retry-After": "3600"}, b"")
    for leads, to in ((first, busy), (second, free)):
        web.page(f"http://{leads}/1")
        web.page(f"http://{leads}/2")
        web.answers[f"http://{leads}/robots.txt"] = (301, {"Location": f"http://{to}/rules.txt"}, b"")
        web.answers[f"http://{to}/rules.txt"] = (200, {"Content-Type": "text/plain"}, RULES)
    _, _, fetches = crawl(f"http://{start}/0", f"http://{busy}/0", crawl__fetchers=2, crawl__rounds=6)
    assert web.hits[f"http://{busy}/rules.txt"] == 0, "it is to be left alone for an hour"
    outcomes = {fetch.url: fetch.outcome for fetch in fetches}
    assert outcomes[f"http://{first}/1"] == "robots_unreachable"
    assert web.hits[f"http://{first}/1"] == 0
    assert web.hits[f"http://{first}/robots.txt"] <= 3, "not in every round"
    assert 1 <= web.hits[f"http://{free}/rules.txt"] <= 2
    assert outcomes[f"http://{second}/1"] == "ok"
    assert outcomes[f"http://{second}/2"] == "robots_disallowed"
