# Hedgehog: curls up every other turn, bows in between, and comes out only against one who has no honour to strike with. It speaks
# agon's own wire, as Sunflower does: to start Perl for every turn takes many times as long as its thoughts.
use strict;
$| = 1;
srand($ENV{AGON_SEED} // 0);

while (my $line = <STDIN>) {
    next unless $line =~ /"type":"ask"/;
    my ($honour) = $line =~ /"honour":(-?\d+)/;
    my ($enemy) = $line =~ /"enemyHonour":(-?\d+)/;
    my $guarded = $line =~ /"history":"\w*G"/;
    my $action;
    if ($enemy == 0) { $action = $honour > 0 && rand() < 0.7 ? 'I' : 'B' }
    elsif (!$guarded) { $action = rand() < 0.75 ? 'G' : 'B' }
    else { $action = $honour > 2 ? ('I', 'P', 'O')[rand 3] : 'B' }
    print qq({"action":"$action"}\n);
}
