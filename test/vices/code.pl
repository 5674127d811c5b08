# Ends with exit code 3 at the third question.
use FindBin; use lib $FindBin::Bin; use Voice;

Voice::play( sub { exit 3 if $Voice::asked == 3; Voice::deliver(shift) } );
