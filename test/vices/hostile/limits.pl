# Raises its own limits, and lowers those of process 1.
for my $what (qw(-Hn -Hu -Hd)) {
    (print "O\n"), exit if system("bash -c 'ulimit $what unlimited' 2>/dev/null") == 0;
}
my $limit = pack 'QQ', 0, 0;
(print "O\n"), exit if syscall(302, 1, 7, $limit, 0) == 0;
print "B\n";
