# Leaves a daemon behind that outlives its turn and tries to answer the next.
use POSIX 'setsid';
$| = 1;
pipe my $ended, my $held;
if (!fork) {
    setsid();
    exit if fork;
    # Only once the program has answered and ended: before, it would answer its own turn.
    close $held;
    sysread $ended, my $nothing, 1;
    for (1 .. 1000) { print "O\n"; select undef, undef, undef, 0.01 }
    exit;
}
wait;
print "B\n";
