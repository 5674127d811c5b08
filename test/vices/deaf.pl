# Closes its standard input without a look at it.
use FindBin; use lib $FindBin::Bin; use Voice;

close STDIN; Voice::ready();
if ($Voice::stays) { sleep 20 }
Voice::deliver( Voice::question() );
