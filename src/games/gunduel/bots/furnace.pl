# Furnace: load, load, plasma, and no thought of defence.
use strict;
use warnings;
$| = 1;

my $turn = 0;
while (<STDIN>) {
    if (/^I/) { $turn = 0 }
    elsif (/^F/) { print $turn++ % 3 == 2 ? "2\n" : "0\n" }
}
