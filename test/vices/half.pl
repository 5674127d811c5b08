# Prints its answer without an end of line, and no more.
use FindBin; use lib $FindBin::Bin; use Voice;

Voice::play( sub { print substr( shift, 0, 1 ); sleep 20 } );
