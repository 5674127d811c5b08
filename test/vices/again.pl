# Answers once; at the second question of its life does what its argument says. A process a question counts in a file.
use FindBin; use lib $FindBin::Bin; use Voice;

my $what = shift @ARGV;
my %vice = (
    late   => sub { sleep 20 },
    half   => sub { print "0"; sleep 20 },
    flood  => sub { print "x" x 1_000_000 },
    errors => sub { print STDERR "x" x 65_536 for 1 .. 100; sleep 20 },
    exit   => sub { exit 3 },
    signal => sub { kill "SEGV", $$ },
    killed => sub { kill "KILL", $$ },
    family => sub { system "sleep 20 & sleep 20 &"; sleep 20 },
);
if ( $what eq 'unready' ) { sleep 20 }
Voice::ready();
while (1) {
    my $answer = Voice::question();
    $vice{$what}->() if $Voice::asked == 2;
    Voice::deliver($answer);
}
