"""One holder at a time: whatever the order of steps, however long somebody sleeps, whatever the clocks say."""

import tempfile
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from s3_server import environment, make_bucket
from unreliable import unreliable

from corpulyzer.storage import Storage
from corpulyzer.web.fetch.shards.lease import Claim, LostLeaseError, Segment, offer, shard_at, shard_of
from corpulyzer.web.fetch.shards.segments import Segments

SECONDS = 10.0
NAME = "shards/0000.json"


class Time:
    """Real time, which tests move; each machine has a clock that begins elsewhere and runs a little wrong."""

    def __init__(self):
        self.now = 1_000.0

    def clock(self, offset=0.0, rate=1.0):
        return lambda: offset + rate * self.now


@pytest.fixture
def time():
    return Time()


@pytest.fixture
def storage(tmp_path):
    made = Storage(tmp_path)
    offer(made, NAME)
    return made


def claim(storage, time, *machine):
    return Claim(storage, NAME, SECONDS, time.clock(*machine))


def test_the_first_who_asks_holds_a_shard_and_nobody_else(storage, time):
    lease = claim(storage, time).attempt()
    assert (lease.left_seconds > 0, lease.shard.taken) == (True, 0.0)
    other = claim(storage, time)
    for _ in range(9):
        time.now += 1
        assert other.attempt() is None


def test_a_shard_whose_holder_is_silent_for_a_lease_goes_to_who_waited_so_long(storage, time):
    first = claim(storage, time).attempt()
    time.now += 7
    other = claim(storage, time)
    assert other.attempt() is None
    time.now += SECONDS - 1
    assert other.attempt() is None, "it has not seen the lease for as long as it lasts"
    time.now += 1
    second = other.attempt()
    assert (first.shard.number, second.shard.number) == (1, 2)
    assert second.shard.taken


def test_a_lease_that_is_renewed_stays(storage, time):
    lease, other = claim(storage, time).attempt(), claim(storage, time)
    for _ in range(20):
        time.now += 3
        lease.renew()
        assert other.attempt() is None


def test_a_holder_that_slept_past_its_lease_may_ask_nothing_and_list_nothing(storage, time):
    lease = claim(storage, time).attempt()
    archive = Segments(storage, "shards/0000", lease, time.clock())
    time.now += SECONDS
    assert lease.left_seconds < 0
    with pytest.raises(LostLeaseError):
        archive.seal("late.warc.gz", b"late")
    assert not storage.exists("shards/0000/late.warc.gz"), "nobody would know of it"
    with pytest.raises(LostLeaseError):
        lease.end({})
    assert shard_at(storage, NAME).segments == ()


def test_a_holder_whose_clock_stood_still_lists_nothing_after_another_took_over(storage, time):
    asleep = [0.0]
    lease = Claim(storage, NAME, SECONDS, lambda: asleep[0]).attempt()
    other = claim(storage, time)
    other.attempt()
    time.now += SECONDS
    taken = other.attempt()
    with pytest.raises(LostLeaseError, match="taken"):
        lease.renew(Segment("late.warc.gz", 4))
    taken.renew(Segment("new.warc.gz", 3))
    assert [segment.name for segment in shard_at(storage, NAME).segments] == ["new.warc.gz"]


def test_whoever_takes_over_finds_what_was_listed(storage, time):
    first = claim(storage, time).attempt()
    first.renew(Segment("a.warc.gz", 1), Segment("b.warc.gz", 2))
    other = claim(storage, time)
    other.attempt()
    time.now += SECONDS
    assert [each.name for each in other.attempt().shard.segments] == ["a.warc.gz", "b.warc.gz"]


def test_a_shard_that_is_ended_is_nobodys_any_more(storage, time):
    lease = claim(storage, time).attempt()
    lease.end({"deadline": 3})
    time.now += 100
    assert claim(storage, time).wait(lambda _: None) is None
    assert shard_at(storage, NAME).left == {"deadline": 3}


def test_a_shard_whose_object_is_gone_is_begun_by_nobody(storage, time):
    lease = claim(storage, time).attempt()
    storage.delete(NAME)
    with pytest.raises(LostLeaseError):
        lease.renew()
    assert claim(storage, time).wait(lambda _: None) is None
    assert not storage.exists(NAME)


def test_two_holders_never_write_the_same_segment(storage, time):
    names = set()
    other = claim(storage, time)
    names.add(Segments(storage, "s", other.attempt(), time.clock()).cut()[0])
    for _ in range(3):
        other = claim(storage, time)
        other.attempt()
        time.now += SECONDS
        names.add(Segments(storage, "s", other.attempt(), time.clock()).cut()[0])
    assert len(names) == 4


@given(st.lists(st.text(min_size=1)), st.integers(1, 9))
def test_every_site_has_one_shard(sites, shards):
    assert all(0 <= shard_of(site, shards) < shards for site in sites)
    assert [shard_of(site, shards) for site in sites] == [shard_of(site, shards) for site in sites]


@pytest.fixture
def unreliable_store(object_store, tmp_path):
    """A shard in an object store, and what befalls the answers of the store."""
    folder = f"{make_bucket(object_store, 'leased')}/{tmp_path.name}"
    with unreliable(object_store) as (way, variables), environment(variables):
        storage = Storage(folder)
        offer(storage, NAME)
        yield storage, way


def test_a_change_of_which_the_answer_is_lost_is_made_once_and_counts_from_its_first_try(
    unreliable_store, time
):
    storage, way = unreliable_store
    lease, other = claim(storage, time).attempt(), claim(storage, time)
    way.befall("lost")
    lease.renew(Segment("a", 1))
    assert [each.name for each in shard_at(storage, NAME).segments] == ["a"]
    way.befall(*["lost"] * 9)
    with pytest.raises(OSError, match="put_object"):
        lease.renew(Segment("b", 1))
    way.befall()
    assert other.attempt() is None
    time.now += SECONDS - 1
    lease.renew(Segment("b", 1))
    assert lease.left_seconds < 0, "who waits has seen it all the time"
    time.now += 1
    assert [each.name for each in other.attempt().shard.segments] == ["a", "b"]


def test_a_change_after_one_of_which_nobody_has_heard_is_not_taken_for_that_of_another(
    unreliable_store, time
):
    storage, way = unreliable_store
    lease = claim(storage, time).attempt()
    way.befall(*["lost"] * 9)
    with pytest.raises(OSError, match="put_object"):
        lease.renew()
    way.befall()
    lease.renew(Segment("a", 1))
    lease.end({"deadline": 1})
    shard = shard_at(storage, NAME)
    assert ([each.name for each in shard.segments], shard.ended) == (["a"], True)


def test_a_holder_may_renew_and_list_at_the_same_time(storage, time):
    lease, names = (
        claim(storage, time).attempt(),
        [f"{letter}{number}" for letter in "abc" for number in range(9)],
    )
    failed = []

    def change(letter):
        try:
            for number in range(9):
                lease.renew(Segment(f"{letter}{number}", 1))
                lease.renew()
        except LostLeaseError as lost:
            failed.append(lost)

    threads = [threading.Thread(target=change, args=(letter,)) for letter in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(180)
    assert not failed
    assert sorted(each.name for each in shard_at(storage, NAME).segments) == names


class Machine:
    """A fetcher in a world of chance: it asks one site, and is stopped wherever it happens to be."""

    def __init__(self, storage, time, number):
        self.storage, self.time, self.number = storage, time, number
        self.rate = (1.0, 1.08, 0.93)[number]
        self.clock = time.clock(1e4 * number, self.rate)
        self.start_anew()

    def start_anew(self):
        """Be killed, and begin again."""
        self.claim, self.lease = Claim(self.storage, NAME, SECONDS, self.clock), None
        self.stored = self.asking = None

    def step(self, what, world):
        if self.lease is None:
            self.lease = self.claim.attempt()
            return
        try:
            getattr(self, what)(world)
        except LostLeaseError:
            self.start_anew()

    def ask(self, world):
        if self.lease.left_seconds > 0:
            ends = self.time.now + self.lease.left_seconds / self.rate
            world.asked.append((self.time.now, ends, self.number))

    def store(self, world):
        self.stored = Segment(f"{self.lease.shard.number}-{len(world.stored)}", 1)
        world.stored.append(self.stored.name)

    def list(self, world):
        if self.stored is not None:
            segment, self.stored = self.stored, None
            self.lease.renew(segment)
            world.listed.append(segment.name)

    def renew(self, world):
        self.lease.renew()

    def die(self, world):
        self.start_anew()


class World:
    def __init__(self):
        self.asked, self.stored, self.listed = [], [], []


STEPS = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.sampled_from(["ask", "ask", "ask", "store", "list", "renew", "die"]),
        st.sampled_from([0.0, 0.0, 0.0, 0.0, 1.0, 6.0, SECONDS]),
    ),
    min_size=40,
    max_size=60,
)


@settings(max_examples=60)
@given(STEPS)
def test_no_order_of_steps_lets_two_ask_at_once_or_loses_what_was_listed(steps):
    time, world = Time(), World()
    with tempfile.TemporaryDirectory() as folder:
        storage = Storage(folder)
        offer(storage, NAME)
        machines = [Machine(storage, time, number) for number in range(3)]
        for number, what, seconds in steps:
            machines[number].step(what, world)
            time.now += seconds
        # A request lasts at most until its holder ends it: no two of different holders may overlap.
        for begun, _, number in world.asked:
            others = [other for other in world.asked if other[2] != number]
            assert not any(start < begun < end for start, end, _ in others)
        shard = shard_at(storage, NAME)
        assert [each.name for each in shard.segments] == world.listed
        numbers = [int(name.partition("-")[0]) for name in world.listed]
        assert numbers == sorted(numbers), "an older holder listed something after a newer one"
