# Jackal: always goes for whoever has the least life left.
use strict;
print("ok\n"), exit unless @ARGV;
my ($own, @bots) = @ARGV;
my ($prey) = sort { $a->[1] <=> $b->[1] || $b->[2] <=> $a->[2] } grep { $_->[0] != $own && $_->[1] > 0 } map { [split /,/] } @bots;
print "$prey->[0]\n";
