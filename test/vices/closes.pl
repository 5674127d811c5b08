# Closes its standard output at the third question, and stays.
use FindBin; use lib $FindBin::Bin; use Voice;

Voice::play( sub { if ( $Voice::asked == 3 ) { close STDOUT; sleep 20 } Voice::deliver(shift) } );
