# Takes hold of process 1 and of its parent, and writes into their memory.
for my $pid (1, getppid) {
    (print "O\n"), exit if syscall(101, 16, $pid, 0, 0) == 0;
    my $text = 'note';
    (print "O\n"), exit if open my $memory, '+<', "/proc/$pid/mem" and syswrite $memory, $text;
}
print "B\n";
