# Writes lines to its standard error without end.
yes >&2
