"""Compiled arithmetic on arrays: no validation, no names, no exceptions.

Everything here takes arrays that a caller has already checked, fills arrays that it was given and
returns numbers or status codes. Public modules above own validation, names and units.
"""
