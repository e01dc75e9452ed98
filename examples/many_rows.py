"""All declined applicants at once: a table with the cheapest change for each. Needs pandas."""

import symcf
import symcf.fast

credit = symcf.datasets.credit()
classifier = symcf.compile(credit.model("scorecard"))
declined = credit.data[classifier.predict(credit.data) == "declined"]
batch = symcf.fast.explain_batch(classifier, declined, target="approved", immutable=["age", "sex"], k=1)
table = batch.to_pandas()
print(len(declined), "declined rows,", table["row"].nunique(), "with a suggestion")
print(table.head())

# A suggestion has a line per feature that changes; each row has at most one.
assert set(table["set"]) == {0}
assert table["row"].nunique() <= len(declined)
