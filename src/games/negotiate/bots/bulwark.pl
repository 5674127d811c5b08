# Bulwark: never wants to be any lord's least friend. It strengthens whichever standing is weakest, heavy lords before light ones.
use strict;
use warnings;

$| = 1;
print "READY\n";
my ($turns, $daimyo, $lords) = split ' ', <STDIN>;
my @force = split ' ', <STDIN>;

while (defined(my $head = <STDIN>)) {
    my (undef, $kind) = split ' ', $head;
    my @rows = map { [split ' ', scalar <STDIN>] } 1 .. $lords;
    my @own = split ' ', <STDIN>;
    my $visits = <STDIN> if $kind eq 'D';

    # How far it stands above the rival that is lowest there, weighed by the force that would turn against it.
    my $need = sub {
        my ($lord) = @_;
        my ($lowest) = sort { $a <=> $b } @{ $rows[$lord] }[1 .. $daimyo - 1];
        return $force[$lord] * (4 - ($own[$lord] - $lowest));
    };
    my @named;
    for (1 .. ($kind eq 'D' ? 5 : 2)) {
        my ($lord) = sort { $need->($b) <=> $need->($a) || $a <=> $b } 0 .. $lords - 1;
        push @named, $lord;
        $own[$lord] += $kind eq 'D' ? 1 : 2;
    }
    print "@named\n";
}
