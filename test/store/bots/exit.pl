# A process a question, with a state file that says how often it was called.
srand $ENV{AGON_SEED}; open my $f, '>>', 'state/calls'; print $f 'x'; close $f;
exit ord((qw(0 1 -))[(3 * rand() + -s 'state/calls') % 3]);
