"""One declined applicant: what would have to change, and what decided. Needs scikit-learn and pandas."""

from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import symcf

credit = symcf.datasets.credit()
words = ["sex", "job", "housing", "purpose", "guarantor", "member"]
columns = make_column_transformer((OneHotEncoder(), words), remainder="passthrough")
model = make_pipeline(columns, HistGradientBoostingClassifier(max_iter=20, max_leaf_nodes=6, random_state=0))
model.fit(credit.data, credit.target)

decided = model.predict(credit.data)
row = credit.data[decided == "declined"].iloc[0]
classifier = symcf.compile(model, data=credit.data)
explanation = classifier.explain(row, target="approved", immutable=["age", "sex"], max_changes=2, k=3)
print(explanation)

# The model itself confirms every suggested row.
assert len(explanation) > 0
assert set(model.predict(explanation.to_frame())) == {"approved"}
