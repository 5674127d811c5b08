# Writes megabytes to its standard error before each answer.
use FindBin; use lib $FindBin::Bin; use Voice;

Voice::play( sub { print STDERR "e" x 99_999, "\n" for 1 .. 25; print STDERR "the end\n"; Voice::deliver(shift) } );
