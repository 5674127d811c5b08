# Ends at the third question, but a child of it still holds its pipes.
use FindBin; use lib $FindBin::Bin; use Voice;

Voice::play( sub { if ( $Voice::asked == 3 ) { if ( !fork ) { sleep 30 } exit 0 } Voice::deliver(shift) } );
