# Prints a megabyte and no end of line.
use FindBin; use lib $FindBin::Bin; use Voice;

Voice::play( sub { print "x" x 1_000_000; Voice::deliver(shift) } );
