# A bot for __TITLE__. README.md has the rules, and all that a bot is sent.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Agon;

# Called for each of your moves: returns one of the texts in @$legal. $view->{…} is what you may know:
#   __FIELDS__
sub choose {
    my ($view, $legal) = @_;

    # A first idea: the first move that is legal. $legal->[ rand @$legal ] is any of them; rand is seeded, so that
    # matches can be played again.
    return $legal->[0];
}

Agon::play(\&choose);
