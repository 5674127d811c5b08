# Magpie: claims to be the Captain whenever there is a coin to steal, blocks every steal, doubts nobody without proof.
use strict;
use warnings;

my ($game, $theirs, $mine, $cards, @legal) = @ARGV;
open my $in, '<', $game or die "cannot read $game: $!";
my $history = do { local $/; <$in> } // '';
close $in;
my ($line) = $history =~ /([^\n]*)\z/;
my %can = map { $_ => 1 } @legal;
my $alone = length $cards == 1;

# What it would rather keep comes first.
my $taste = '*$^~!';
my %sign = ('~' => '_', '^' => "'", '*' => '<', '!' => '=', '$' => '0');
my @liked = sort { index($taste, $a) <=> index($taste, $b) } split //, $cards;

sub play {
    my ($move) = @_;
    open my $out, '>>', $game or die "cannot write $game: $!";
    print $out $move;
    exit 0;
}
sub first_of { $can{$_} and play($_) for @_ }
sub has { index($cards, $_[0]) >= 0 }

if ($line eq '') {
    first_of('C', 'S');
    first_of('A') if has('^');
    first_of('T') if has('$') || $mine < 3;
    first_of("I\n");
}
if ($line =~ /^E(p|q~.)$/) {
    print join '', @liked[0 .. @liked - 3];
    play("\n");
}
first_of('d') if has('$');
first_of('c');
first_of('s') if has('!') || $alone;
first_of('q') if $line =~ /[ac]$/ && has('*');
first_of('p', "\n");
# Nothing is left but to show a card or to give one up.
first_of(split //, '~^*!$') if $line =~ /q$/;
first_of(map { ($sign{$_}, "$sign{$_}\n") } reverse @liked);
