# Says one line of 64 MiB.
print 'B' x (64 * 1024 ** 2), "\n";
