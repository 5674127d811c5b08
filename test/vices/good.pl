# No vice at all.
use FindBin; use lib $FindBin::Bin; use Voice;

Voice::play( sub { Voice::deliver(shift) } );
