# Gadfly: honest itself, but believes hardly anything: it challenges two claims of three, and nearly every block.
use strict;
use warnings;

my ($game, $theirs, $mine, $cards, @legal) = @ARGV;
srand($ENV{AGON_SEED} // 1);
open my $in, '<', $game or die "cannot read $game: $!";
my $history = do { local $/; <$in> } // '';
close $in;
my ($line) = $history =~ /([^\n]*)\z/;
my %can = map { $_ => 1 } @legal;
my @hand = sort { index('$^*!~', $a) <=> index('$^*!~', $b) } split //, $cards;
my %sign = ('~' => '_', '^' => "'", '*' => '<', '!' => '=', '$' => '0');

sub play {
    my ($move) = @_;
    open my $out, '>>', $game or die "cannot write $game: $!";
    print $out $move;
    exit 0;
}
sub try { $can{$_} and play($_) for @_ }
sub has { index($cards, $_[0]) >= 0 }

if ($line eq '') {
    try('C');
    for (['A', '^'], ['T', '$'], ['S', '*']) { try($_->[0]) if has($_->[1]) }
    # Aid is for those whose opponent has never claimed the Duke.
    try($history =~ /[Td]/ ? "I\n" : 'F');
    try("I\n");
}
if ($line =~ /^E(p|q~.)$/) {
    print join '', @hand[0 .. @hand - 3];
    play("\n");
}
for (['d', '$'], ['c', '*'], ['a', '~'], ['s', '!']) { try($_->[0]) if has($_->[1]) }
if ($can{q}) {
    my $doubt = $line =~ /[dacs]$/ ? 0.9 : $line =~ /A$/ ? (@hand == 1 ? 1 : 0.3) : 0.66;
    play('q') if rand() < $doubt;
}
try('p', "\n");
try(@hand) if $line =~ /q$/;
try(map { ($sign{$_}, "$sign{$_}\n") } reverse @hand);
