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

    # A first idea: any move that is legal. rand is seeded, so that matches can be played again.
    return $legal->[ rand @$legal ];
}

Agon::play(\&choose);
