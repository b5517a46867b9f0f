"""Exercises on NDCG and MRR, another one for each student: what they ask, and the wrong ways to answer."""
