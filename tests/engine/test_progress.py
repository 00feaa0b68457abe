"""How far a command is can be read by others while it runs."""

from corpulyzer.engine.progress import Seen, seen, watched


def test_progress_is_shown_here_and_noted_for_others(tmp_path):
    shown = []
    with watched(str(tmp_path), lambda *step: shown.append(step)) as show:
        show("reading", 1, 4)
        assert seen(str(tmp_path)) == Seen("reading", 1, 4)
        assert seen(str(tmp_path)).share == 0.25
        show("reading", 2, 4)
    assert shown == [("reading", 1, 4), ("reading", 2, 4)]
    assert seen(str(tmp_path)) is None, "what has ended is not under way"


def test_a_note_that_cannot_be_read_or_written_is_left_out(tmp_path):
    (tmp_path / "logs").write_text("a file where the folder should be")
    with watched(str(tmp_path), lambda *_: None) as show:
        show("reading", 1, 4)
        assert seen(str(tmp_path)) is None
    assert seen(str(tmp_path / "nowhere")) is None
