"""`[engine.spark]` of a corpus, as Spark takes it."""

from pathlib import Path

import pytest

from corpulyzer.api.corpus import Corpus
from corpulyzer.corpus.settings.spark import SparkSettings
from corpulyzer.engine.spark import SparkEngine
from corpulyzer.errors import UserError

TABLE = """
[engine]
name = "spark"
master = "{master}"

[engine.spark]
executors = 3
executor_cores = 2
executor_memory_gigabytes = 1.5
shuffle_partitions = 64
more = ["spark.ui.port=4050", "spark.executor.memory=2g"]
"""


def engine_of(folder: Path, master: str) -> SparkEngine:
    corpus = Corpus.create("urd", folder)
    settings = folder / "corpulyzer.toml"
    settings.write_text(settings.read_text() + TABLE.format(master=master))
    made = Corpus.open(corpus.storage.root).engine()
    assert isinstance(made, SparkEngine)
    return made


def test_the_settings_of_a_corpus_reach_spark(tmp_path: Path) -> None:
    common = {
        "spark.executor.cores": "2",
        "spark.executor.memory": "2g",
        "spark.sql.shuffle.partitions": "64",
        "spark.ui.port": "4050",
    }
    alone = engine_of(tmp_path / "a", "spark://host:7077")
    assert alone.settings == {**common, "spark.cores.max": "6"}, "a standalone master counts cores"
    assert engine_of(tmp_path / "b", "yarn").settings == {**common, "spark.executor.instances": "3"}


def test_what_is_not_set_is_left_to_the_cluster() -> None:
    assert SparkSettings().for_master("yarn") == {}
    asked = SparkSettings(python_memory_gigabytes=2, driver_memory_gigabytes=0.5).for_master("k8s://a")
    assert asked == {"spark.executor.memoryOverhead": "2048m", "spark.driver.memory": "512m"}


@pytest.mark.parametrize("wrong", ["executor.memory=2g", "spark.executor.memory"])
def test_what_is_no_setting_of_spark_is_named(wrong: str) -> None:
    with pytest.raises(UserError, match="no setting of Spark"):
        SparkSettings(more=(wrong,)).for_master("yarn")
