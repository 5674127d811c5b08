# Ends after its last answer of a match; the second argument tells how many it gives.
use FindBin; use lib $FindBin::Bin; use Voice;

my $answers = shift @ARGV;
Voice::play( sub { Voice::deliver(shift); exit 0 if $Voice::asked == $answers } );
