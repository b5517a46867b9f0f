"""Readers: one module a format, text in, typed and validated inputs out; they know nothing of sheets."""
