"""Evaluations as workbooks: judgments and runs in, every mean traceable to the grades it came from.

Reads top to bottom as the data's path: `inputs` (typed, validated), `layout` (which row holds what), `sheets/` (what
stands in each cell, formulas by name), `reference` and its neighbours (what every formula should give), `book` and
`markup` (the .xlsx), `proof` (recalculate and compare), `reopen` (an edited workbook back to inputs).
"""
