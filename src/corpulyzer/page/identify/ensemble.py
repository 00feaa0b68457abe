"""Our identifier: a quick first answer, and a second look where the first is known to err.

If the first answer belongs to a group of look-alikes, the table of the group decides. If there is no first
answer, or its score is unusual for the language, or the target or a language of the user's own is often
mistaken for it, all languages of the script compete. Text that fits none of them is `und`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from corpulyzer.page.identify import Asked, Identified, at_least
from corpulyzer.page.identify.cld2 import Cld2
from corpulyzer.page.identify.group import Decider, Decision
from corpulyzer.page.identify.table import Table, load
from corpulyzer.records import UNDETERMINED
from corpulyzer.text import script_of

MODELS = Path(__file__).with_name("models")
# Shorter paragraphs are not identified: menus, names, dates.
MIN_CHARACTERS = 20
# Among hundreds of languages, one fits a short text by chance.
MIN_CONFIDENCE = 0.8
# A language may hide behind an answer that CLD2 gives to at least this share of its paragraphs: with a
# target, the target; without one, any language.
MIN_HIDDEN = 0.02
OFTEN_HIDDEN = 0.25
# Scripts that are hardly used for other languages than those that the tables know.
_ALL_KNOWN = frozenset({"Ethi", "Hang"})
_FIRST = Cld2()
NO_LANGUAGE = Decision(UNDETERMINED, 0.0, False)
_OTHER_SCRIPTS = "other"


@dataclass(frozen=True)
class Ensemble:
    """CLD2 first, then the tables that ship with the package and those of `models`, files of one's own.

    With a `target`, all languages compete wherever the target may hide behind CLD2's answer; without one,
    wherever any may. An answer that is not surer than `min_confidence` is `und`. Of texts of less than
    `min_characters` no more is asked than CLD2's answer. `folder` has the tables that ship.
    """

    target: str = ""
    models: tuple[str, ...] = ()
    min_confidence: float = 0.0
    folder: str = str(MODELS)
    min_characters: int = MIN_CHARACTERS

    @property
    def languages(self) -> frozenset[str]:
        """The codes that it can give."""
        tables = [
            *groups(self.folder),
            *(wide(s, self.folder) for s in wide_scripts(self.folder)),
            *self._own,
        ]
        return Cld2().languages.union(*(table.codes for table in tables)) - {UNDETERMINED}

    def prepare(self) -> None:
        """Load what text of the target will need; all else is loaded when it is first needed."""
        for name, scripts in calls_of_groups(self.folder).get(self.target, ()):
            _group_decider(name, self.folder)
            for script in wide_scripts(self.folder).intersection(scripts):
                _wide_decider(script, self._models, self.folder)
        self(["", "x" * MIN_CHARACTERS])

    def __call__(self, paragraphs: Sequence[str]) -> list[Identified]:
        """One answer for each paragraph, in order."""
        found, unusual = _FIRST.look(paragraphs)
        asked = self._asked | (unusual - self._settled) if unusual else self._asked
        scripts: dict[int, str] = {}
        languages = {language for language, _, _ in found}
        if not asked.isdisjoint(languages):
            doubted = [
                number
                for number, (language, _, _) in enumerate(found)
                if language in asked and len(paragraphs[number]) >= self.min_characters
            ]
            if doubted:
                scripts = self._look_into(paragraphs, found, doubted, unusual)
                languages = {language for language, _, _ in found}
        if not languages.isdisjoint(calls_of_groups(self.folder)):
            self._within_groups(paragraphs, found, scripts)
        if self.min_confidence:
            return [at_least(each, self.min_confidence) for each in found]
        return found

    def _look_into(
        self, paragraphs: Sequence[str], found: list[Identified], doubted: list[int], unusual: frozenset[str]
    ) -> dict[int, str]:
        """Let all languages compete for some paragraphs; return the script of each that got a new answer."""
        in_groups = calls_of_groups(self.folder)
        scripts = {}
        for number, script, decision in self._among_all(paragraphs, doubted):
            before = found[number]
            # For a member of a group any confidence will do, because the group decides afterwards.
            least = 0.0 if decision.code in in_groups else MIN_CONFIDENCE
            if decision.fits and decision.confidence >= least:
                found[number] = _moved(before, frozenset({before.language}), decision)
                scripts[number] = script
            elif decision.code == before.language and script_of(paragraphs[number][:400]) in _ALL_KNOWN:
                continue  # both name it, and no unknown language is written like this
            elif before.language == UNDETERMINED or before.language in unusual:
                found[number] = _moved(before, frozenset({before.language}), NO_LANGUAGE)
        return scripts

    def _within_groups(
        self, paragraphs: Sequence[str], found: list[Identified], scripts: Mapping[int, str]
    ) -> None:
        """Let each group decide on the paragraphs whose answer so far is one of its `calls`.

        `scripts` are those that were determined; other paragraphs are taken to be in the group's script.
        """
        by_group: dict[str, list[int]] = defaultdict(list)
        calls = calls_of_groups(self.folder)
        for number, (language, _, _) in enumerate(found):
            for name, written in calls.get(language, ()):
                if scripts.get(number, written[0]) in written:
                    by_group[name].append(number)
        for name, numbers in by_group.items():
            decider = _group_decider(name, self.folder)
            decisions = decider([paragraphs[n] for n in numbers], [found[n].language for n in numbers])
            strangers = []
            for number, decision in zip(numbers, decisions, strict=True):
                if decision.fits or decision.code == UNDETERMINED:
                    found[number] = _moved(found[number], decider.table.calls, decision)
                else:
                    strangers.append((number, decision))
            if strangers:
                self._judge_strangers(paragraphs, found, dict(strangers), decider.table)

    def _judge_strangers(
        self,
        paragraphs: Sequence[str],
        found: list[Identified],
        strangers: Mapping[int, Decision],
        group: Table,
    ) -> None:
        """Decide on paragraphs unlike their group: another language, none, or the group's after all."""
        members = frozenset(group.codes) | group.calls
        for number, _, decision in self._among_all(paragraphs, list(strangers)):
            kept = strangers[number] if decision.code in members else decision
            found[number] = _moved(found[number], members, kept if decision.fits else NO_LANGUAGE)

    def _among_all(
        self, paragraphs: Sequence[str], numbers: Sequence[int]
    ) -> Iterator[tuple[int, str, Decision]]:
        """The decisions of the tables of all languages, script by script."""
        by_script: dict[str, list[int]] = defaultdict(list)
        for number in numbers:
            script = script_of(paragraphs[number][:400])
            by_script[script if script in wide_scripts(self.folder) else _OTHER_SCRIPTS].append(number)
        for script, own in by_script.items():
            decider = _wide_decider(script, self._models, self.folder)
            for number, decision in zip(own, decider([paragraphs[n] for n in own]), strict=True):
                yield number, script, decision

    @cached_property
    def _own(self) -> tuple[Table, ...]:
        return tuple(_read(model) for model in self._models)

    @cached_property
    def _models(self) -> tuple[str, ...]:
        """The user's models, and the one that ships for a target which is not looked for elsewhere."""
        own = Path(self.folder) / f"target-{self.target}.table"
        return (*self.models, str(own)) if self.target and own.is_file() else self.models

    @cached_property
    def _settled(self) -> frozenset[str]:
        """The answers of CLD2 on which a group decides, and no model of the user before it."""
        return frozenset(calls_of_groups(self.folder)) - self._own_calls

    @cached_property
    def _asked(self) -> frozenset[str]:
        """The answers of CLD2 that are always looked into: none, and those behind which others may hide."""
        return (self._hiding | {UNDETERMINED}) - self._settled

    @cached_property
    def _hiding(self) -> frozenset[str]:
        """The answers of CLD2 behind which other languages are known to hide."""
        hiding = hidden_behind(self.folder)
        if self.target:
            behind = {code for code, share in hiding.get(self.target, {}).items() if share >= MIN_HIDDEN}
        else:
            behind = {
                code for each in hiding.values() for code, share in each.items() if share >= OFTEN_HIDDEN
            }
        return frozenset(behind - {self.target}) | self._own_calls

    @cached_property
    def _own_calls(self) -> frozenset[str]:
        return frozenset[str]().union(*(table.calls for table in self._own))


def ensemble(asked: Asked) -> Ensemble:
    """The identifier as the settings ask for it."""
    return Ensemble(asked.target, asked.models, asked.min_confidence)


def _moved(before: Identified, from_codes: frozenset[str], decision: Decision) -> Identified:
    """The paragraph with the bytes of some languages given to the one decided on."""
    if len(before.languages) == 1 and before.language in from_codes and decision.code != UNDETERMINED:
        (size,) = before.languages.values()
        return Identified(decision.code, decision.confidence, {decision.code: size})
    moved = sum(size for code, size in before.languages.items() if code in from_codes)
    kept = {code: size for code, size in before.languages.items() if code not in from_codes}
    kept[decision.code] = kept.get(decision.code, 0) + moved
    size = sum(kept.values())
    if decision.code == UNDETERMINED or not size:
        return Identified(UNDETERMINED, 0.0, kept)
    return Identified(decision.code, decision.confidence * kept[decision.code] / size, kept)


@cache
def groups(folder: str = str(MODELS)) -> tuple[Table, ...]:
    """The tables of look-alikes that ship with the package."""
    return tuple(load(file) for file in sorted(Path(folder).glob("group-*.table")))


@cache
def calls_of_groups(folder: str = str(MODELS)) -> dict[str, tuple[tuple[str, tuple[str, ...]], ...]]:
    """By first answer the groups to ask, with their scripts; no table is read before it is needed."""
    asked: dict[str, list[tuple[str, tuple[str, ...]]]] = defaultdict(list)
    for name, group in json.loads((Path(folder) / "calls.json").read_text("utf-8")).items():
        for code in group["calls"]:
            asked[code].append((name, tuple(group["scripts"])))
    return {code: tuple(names) for code, names in asked.items()}


@cache
def hidden_behind(folder: str = str(MODELS)) -> dict[str, dict[str, float]]:
    """By label the answers that CLD2 gives instead of it, each with its share of paragraphs."""
    table: dict[str, dict[str, float]] = json.loads((Path(folder) / "answers.json").read_text("utf-8"))
    return table


def look_alikes(code: str, folder: str = str(MODELS)) -> frozenset[str]:
    """The other languages of the groups that tell a language apart."""
    own = [frozenset(table.codes) for table in groups(folder) if code in table.calls]
    return frozenset[str]().union(*own) - {code}


@cache
def wide_scripts(folder: str = str(MODELS)) -> frozenset[str]:
    """The scripts that have a table of all their languages."""
    return frozenset(file.stem.removeprefix("all-") for file in Path(folder).glob("all-*.table"))


@cache
def wide(script: str, folder: str = str(MODELS)) -> Table:
    """The table of all languages of a script."""
    return load(Path(folder) / f"all-{script}.table")


@cache
def _group_decider(name: str, folder: str) -> Decider:
    return Decider(load(Path(folder) / f"group-{name}.table"))


@cache
def _wide_decider(script: str, models: tuple[str, ...], folder: str) -> Decider:
    own = [table for table in map(_read, models) if table.notes.get("script") == script]
    return Decider(wide(script, folder).with_columns(own) if own else wide(script, folder))


@cache
def _read(model: str) -> Table:
    return load(Path(model))


def forget_models() -> None:
    """Drop every table that was read, those of other folders than the package's too."""
    for read in (
        groups,
        calls_of_groups,
        hidden_behind,
        wide_scripts,
        wide,
        _group_decider,
        _wide_decider,
        _read,
    ):
        read.cache_clear()
