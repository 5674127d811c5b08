# Prints without end, and no newline.
$| = 1;
print 'x' x 4096 while 1;
