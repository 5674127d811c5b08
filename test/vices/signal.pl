# Dies of a signal at the third question.
use FindBin; use lib $FindBin::Bin; use Voice;

Voice::play( sub { kill "SEGV", $$ if $Voice::asked == 3; Voice::deliver(shift) } );
