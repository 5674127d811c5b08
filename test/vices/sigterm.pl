# Cannot be asked to end.
use FindBin; use lib $FindBin::Bin; use Voice;

$SIG{TERM} = $SIG{INT} = $SIG{HUP} = "IGNORE";
Voice::play( sub { select undef, undef, undef, 1 while 1 } );
