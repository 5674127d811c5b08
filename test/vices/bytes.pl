# Answers with bytes that are no text, and escapes of a terminal.
use FindBin; use lib $FindBin::Bin; use Voice;

Voice::play( sub { my $noise = "\xff\xfe\x00\e[2J\e]0;owned\a"; print "$noise\n"; Voice::deliver($noise) } );
