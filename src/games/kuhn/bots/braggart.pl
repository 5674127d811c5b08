# Braggart: bets whatever it holds, and pays every bet. It speaks agon's own wire, a line of JSON each way.
use strict;
$| = 1;

while (my $line = <STDIN>) {
    print qq({"action":"bet"}\n) if $line =~ /"type":"ask"/;
}
