# Ends its lines as Windows does.
use FindBin; use lib $FindBin::Bin; use Voice;

Voice::play( sub { Voice::deliver( shift, "\r\n" ) } );
