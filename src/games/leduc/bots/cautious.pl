# Cautious: raises with a king or a pair, folds a jack without a pair, calls with the rest. It speaks agon's own wire, a line of JSON each
# way.
use strict;
$| = 1;

while (my $line = <STDIN>) {
    next unless $line =~ /"type":"ask"/;
    my ($card) = $line =~ /"card":"(\w)"/;
    my ($table) = $line =~ /"table":"(\w?)"/;
    my ($legal) = $line =~ /"legal":\[([^\]]*)\]/;
    my $wish = $card eq $table || $card eq 'K' ? 'raise' : $card eq 'J' ? 'fold' : 'call';
    my $action = $legal =~ /"$wish"/ ? $wish : 'call';
    print qq({"action":"$action"}\n);
}
