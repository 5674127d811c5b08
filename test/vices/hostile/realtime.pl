# Asks for real-time priority, for more than its share, for less, and for another core. Whether the answer is yes or no, it gets none.
my $priority = pack 'i', 50;
syscall 144, 0, 1, $priority;
(print "O\n"), exit if syscall(145, 0) != 0;
for my $wanted (-10, 10) {
    setpriority 0, 0, $wanted;
    (print "O\n"), exit if getpriority(0, 0) != 0;
}
my $cores = "\0" x 128;
syscall 204, 0, 128, $cores;
for my $core (0 .. 15) {
    my $wanted = "\0" x 128;
    vec($wanted, $core, 1) = 1;
    syscall 203, 0, 128, $wanted;
    my $now = "\0" x 128;
    syscall 204, 0, 128, $now;
    (print "O\n"), exit if $now ne $cores;
}
print "B\n";
