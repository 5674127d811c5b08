# Grudge: writes down every blow it ever took, through the whole tournament, and pays back whoever owes it most. Blows of long ago
# weigh less: each turn takes a hundredth off.
use strict;
print("ok\n"), exit unless @ARGV;
my ($own, @bots) = @ARGV;
my $book = 'state/grudge.txt';
my %owed;
if (open my $in, '<', $book) { %owed = map { chomp; split / / } <$in> }

$_ *= 0.99 for values %owed;
my (%life, $struck);
for (@bots) {
    my ($id, $life, $power, $last) = split /,/;
    next if $id == $own;
    $life{$id} = $life if $life > 0;
    $owed{$id} = ($owed{$id} // 0) + $power if $last eq $own;
}
if (open my $out, '>', $book) { printf $out "%d %.2f\n", $_, $owed{$_} for sort keys %owed }

my ($worst) = sort { ($owed{$b} // 0) <=> ($owed{$a} // 0) || $life{$b} <=> $life{$a} } sort keys %life;
print "$worst\n";
