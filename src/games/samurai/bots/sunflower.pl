# Sunflower: bows and guards until the Sword of the Gods is its own, then strikes with it for as long as it may. It speaks agon's own
# wire: a JSON object a line each way, of which it needs a few words only.
use strict;
$| = 1;
srand($ENV{AGON_SEED} // 0);

while (my $line = <STDIN>) {
    next unless $line =~ /"type":"ask"/;
    my ($honour) = $line =~ /"honour":(-?\d+)/;
    my ($enemy) = $line =~ /"enemyHonour":(-?\d+)/;
    my ($sword) = $line =~ /"sword":(\d+)/;
    my ($last) = $line =~ /"history":"\w*(\w)"/;
    $last //= '';
    my $shining = $honour >= $sword || ($honour > 3 && $last =~ /[IPO]/);
    my $action = $shining ? ('I', 'P', 'O')[rand 3] : $enemy > 0 && $last ne 'G' && rand() < 0.4 ? 'G' : 'B';
    print qq({"action":"$action"}\n);
}
