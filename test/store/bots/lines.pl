# A process that stays; what it answers depends on its chance, by its own count and by what it wrote to its folder.
$| = 1; srand $ENV{AGON_SEED}; my $n = 0;
while (<STDIN>) {
  if (/^I/) { open my $f, '>>', 'duels'; print $f 'x'; close $f }
  if (/^F/) { print +(qw(0 1 -))[(3 * rand() + $n++ + -s 'duels') % 3], "\n" }
}
