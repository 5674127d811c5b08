# Hedgehog: curls up every other turn, bows in between, and comes out only against one who has no honour to strike with.
use strict;
my ($honour, $enemy) = @ARGV[-2, -1];
my $past = @ARGV == 6 ? $ARGV[0] : '';
srand($ENV{AGON_SEED} // 0);

if ($enemy == 0) { print $honour > 0 && rand() < 0.7 ? 'I' : 'B' }
elsif ($past !~ /G$/) { print rand() < 0.75 ? 'G' : 'B' }
else { print $honour > 2 ? ('I', 'P', 'O')[rand 3] : 'B' }
print "\n";
