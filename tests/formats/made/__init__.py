"""Result files of other tools, made by code: small, own, and shaped like the real ones."""
