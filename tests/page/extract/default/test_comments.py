"""Comments of readers are left out where there is an article, and stay where they are all there is."""

from corpulyzer import extract

ARTICLE = "".join(
    f"<p>The mill at the bend of the river ground rye for {years} years, and when the weir broke in spring the village"
    " had to carry its sacks across the hill, which took a day and cost more than the flour.</p>"
    for years in (40, 90, 200)
)
COMMENT = (
    "<p>My grandfather carried these sacks too, and he told us how the whole family walked behind the cart with"
    " ropes to hold it back. He never ate rye bread again, {}.</p>"
)
TITLE = "<title>The mill</title><h1>The mill at the bend</h1>"


def comments(how_many: int, name: str) -> str:
    return "".join(f"<div {name}>{COMMENT.format(number)}</div>" for number in range(how_many))


def test_ten_times_as_many_comments_are_not_the_article():
    for name in ('class="comment"', 'id="comment-7"', 'class="user-comment odd"', "class=komentarz"):
        page = (
            f"<body class=comments-open>{TITLE}<div class=post>{ARTICLE}</div><div>{comments(40, name)}</div>"
        )
        text = extract(page.encode()).text
        assert "ground rye for 200" in text
        assert "grandfather" not in text, name


def test_comments_stay_where_there_is_no_article():
    page = f"<body>{TITLE}<p>What is your story?</p><div id=comments>{comments(12, 'class=comment')}</div>"
    assert extract(page.encode()).text.count("grandfather") == 12


def test_names_that_only_speak_of_comments_are_no_comments():
    page = f'<body>{TITLE}<p>{"A word before. " * 20}</p><div class="post comments-open has-comments">{ARTICLE}</div>'
    assert "ground rye for 200" in extract(page.encode()).text
