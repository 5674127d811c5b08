# Strongarm: courts the three mightiest lords and nobody else, the one it is behind with first.
use strict;
use warnings;

$| = 1;
print "READY\n";
my ($turns, $daimyo, $lords) = split ' ', <STDIN>;
my @force = split ' ', <STDIN>;
my @mighty = (sort { $force[$b] <=> $force[$a] || $a <=> $b } 0 .. $lords - 1)[0 .. ($lords < 3 ? $lords : 3) - 1];

while (defined(my $head = <STDIN>)) {
    my (undef, $kind) = split ' ', $head;
    my @rows = map { [split ' ', scalar <STDIN>] } 1 .. $lords;
    my @own = split ' ', <STDIN>;
    my $visits = <STDIN> if $kind eq 'D';

    my $behind = sub {
        my ($lord) = @_;
        my ($highest) = sort { $b <=> $a } @{ $rows[$lord] }[1 .. $daimyo - 1];
        return $highest - $own[$lord];
    };
    my @named;
    for (1 .. ($kind eq 'D' ? 5 : 2)) {
        my ($lord) = sort { $behind->($b) <=> $behind->($a) || $force[$b] <=> $force[$a] || $a <=> $b } @mighty;
        push @named, $lord;
        $own[$lord] += $kind eq 'D' ? 1 : 2;
    }
    print "@named\n";
}
