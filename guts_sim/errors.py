"""The error that every refused input raises."""


class InputError(ValueError):
    """A value given by the user cannot be used.

    The message is one line and says what is wrong, where, and what is allowed; the command line
    prints it as it is and exits with code 2.
    """
