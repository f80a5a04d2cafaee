"""Counts the words of a folder by scikit-learn, and writes them as JSON: words, and (document, word, count) in order."""

import json
import pathlib
import sys

from sklearn.feature_extraction.text import CountVectorizer

folder, stop_words, max_words, max_share, vocabulary = sys.argv[1:]
files = sorted(pathlib.Path(folder).iterdir())
settings = {
    "lowercase": True,
    "token_pattern": r"(?u)\b\w\w+\b",
    "stop_words": pathlib.Path(stop_words).read_text("utf-8").split(),
    "min_df": 2,
    "max_df": float(max_share),
    "max_features": int(max_words) or None,
}
if vocabulary != "-":
    settings = {"vocabulary": pathlib.Path(vocabulary).read_text("utf-8").split()}
vectorizer = CountVectorizer(input="filename", **settings)
counts = vectorizer.fit_transform([str(path) for path in files]).tocoo()
cells = sorted(zip(counts.row.tolist(), counts.col.tolist(), counts.data.tolist()))
json.dump({"words": vectorizer.get_feature_names_out().tolist(), "cells": cells}, sys.stdout)
