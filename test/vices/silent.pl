# Never answers; a process a question just ends.
use FindBin; use lib $FindBin::Bin; use Voice;

Voice::play( sub { exit 0 unless $Voice::stays } );
