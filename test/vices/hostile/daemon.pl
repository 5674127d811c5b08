# Leaves a daemon behind that outlives its turn and tries to answer the next.
use POSIX 'setsid';
$| = 1;
if (!fork) {
    setsid();
    exit if fork;
    select undef, undef, undef, 0.02;
    for (1 .. 1000) { print "O\n"; select undef, undef, undef, 0.01 }
    exit;
}
wait;
print "B\n";
