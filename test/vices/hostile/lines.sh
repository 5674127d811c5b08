# Prints lines without end.
yes
