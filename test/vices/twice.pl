# Prints a second line with each answer.
use FindBin; use lib $FindBin::Bin; use Voice;

Voice::play( sub { Voice::deliver( shift, "\ngarbage\n" ) } );
