"""Readers of files: one outside format a file. They give records and say where each number came from."""
