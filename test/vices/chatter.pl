# Prints the right answer over and over, without end.
use FindBin; use lib $FindBin::Bin; use Voice;

Voice::play( sub { my $answer = shift; syswrite STDOUT, "$answer\n" x 200_000 while 1 } );
