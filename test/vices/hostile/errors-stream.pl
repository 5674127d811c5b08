# Writes to its standard error without end, and no newline.
print STDERR 'x' x 4096 while 1;
