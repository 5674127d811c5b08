# Answers long after the deadline.
use FindBin; use lib $FindBin::Bin; use Voice;

Voice::play( sub { sleep 20; Voice::deliver(shift) } );
