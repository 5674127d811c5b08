# Mounts, and makes namespaces to mount in.
my ($none, $tmpfs, $place) = ("none\0", "tmpfs\0", "/tmp\0");
(print "O\n"), exit if syscall(165, $none, $place, $tmpfs, 0, 0) == 0;
(print "O\n"), exit if syscall(272, 0x10000000) == 0;
system "unshare -Ur true 2>/dev/null" or do { print "O\n"; exit };
system "mount -t tmpfs none /tmp 2>/dev/null" or do { print "O\n"; exit };
system "umount /tmp 2>/dev/null" or do { print "O\n"; exit };
print "B\n";
