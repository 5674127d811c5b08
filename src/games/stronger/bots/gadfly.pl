# Gadfly: stings where it is least felt back: the living one with the least power, and among those the one with the most life. It defends
# after two stings or more. It speaks agon's own wire, where bots are named by their seats.
use strict;
$| = 1;

while (my $line = <STDIN>) {
    next unless $line =~ /"type":"ask"/;
    my ($view) = $line =~ /"view":(.*)/;
    my (@others, $stings);
    my ($own) = $view =~ /^\{"seat":(\d+)/;
    for my $bot ($view =~ /\{("seat":\d+,"life"[^}]*)\}/g) {
        my ($seat, $life, $power, $last) = $bot =~ /"seat":(\d+),"life":(-?\d+),"power":(\d+),"last":"(\w+)"/;
        next if $seat == $own || $life < 1;
        push @others, [$seat, $life, $power];
        $stings++ if $last eq $own;
    }
    my ($softest) = sort { $a->[2] <=> $b->[2] || $b->[1] <=> $a->[1] } @others;
    my $action = @others > 1 && $stings > 1 ? 'D' : $softest->[0];
    print qq({"action":"$action"}\n);
}
