# Puts itself to sleep as no program can refuse.
use FindBin; use lib $FindBin::Bin; use Voice;

Voice::play( sub { kill "STOP", $$ } );
