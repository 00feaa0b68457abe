"""The text of a plug-in's file travels to the tasks of a cluster."""

from own_corpus import folder_with, with_pages

from corpulyzer.api.corpus import open_corpus

SETTINGS = """
[plugins]
filters = { few_shouts = "my_rules.FewShouts" }
labels = { mood = "my_rules.Mood" }

[filter]
document = ["few_shouts"]

[label]
more = ["mood"]
"""


def test_spark_makes_the_same_documents_with_it(spark, tmp_path):
    folder = folder_with(tmp_path / "mine", SETTINGS)
    with_pages(folder)
    before = {document.url: document for document in open_corpus(folder).documents}
    corpus = open_corpus(folder)
    (folder / "my_rules.py").unlink()
    assert corpus.process("extract", engine=spark) == 1
    assert {document.url: document for document in corpus.documents} == before
