package Voice;

# What every vice has in common: how its wire asks, and how it is answered as a well-behaved bot would. The first argument names
# the protocol; with a process a question, the rest are the question's.

use strict;
use warnings;

$| = 1;
our $protocol = shift @ARGV;
our $asked    = 0;
my %turn = map { $_ => 1 } qw(gunduel-exit samurai-turn stronger-turn coup-file);
our $stays = !$turn{$protocol};

# Waits for a question; returns the answer that is legal, or ends where nothing is asked any more.
sub question {
    return turn_question() unless $stays;
    while ( defined( my $line = <STDIN> ) ) {
        my $answer = answer_to($line);
        next unless defined $answer;
        $asked++;
        return $answer;
    }
    exit 0;
}

sub answer_to {
    my ($line) = @_;
    if ( $protocol eq 'jsonl' ) {
        return unless $line =~ /"type":"ask"/;
        return $line =~ /"legal":\["([^"]*)"/ ? qq({"action":"$1"}) : '{}';
    }
    if ( $protocol eq 'gunduel-lines' ) { return $line =~ /^F/ ? '0' : undef }
    return $line =~ /^\d+ ([DN])\s*$/ ? join( ' ', (0) x ( $1 eq 'D' ? 5 : 2 ) ) : undef;
}

# The how-manieth call of the match it is lies in a file, where the wire lets one be kept: the room is new for each match.
sub turn_question {
    open my $count, '+>>', -d 'state' ? 'state/asked.txt' : 'asked.txt' or die;
    print {$count} 'x';
    $count->flush;
    $asked = -s $count;
    return 'D' if $protocol eq 'stronger-turn';
    return 'W' if $protocol eq 'samurai-turn';
    return '0' if $protocol eq 'gunduel-exit';
    my ( $file, undef, undef, undef, @legal ) = @ARGV;
    return $legal[0];
}

# Gives an answer as the wire wants it: a line, an exit code, or an appended file.
sub deliver {
    my ( $answer, $end ) = @_;
    $end //= "\n";
    exit ord $answer if $protocol eq 'gunduel-exit';
    if ( $protocol eq 'coup-file' ) {
        open my $file, '>>', $ARGV[0] or die;
        print {$file} $answer;
        close $file;
        print substr( $ARGV[3], 2 ), $end if $answer eq "\n";
    }
    else { print $answer, $end }
    exit 0 unless $stays;
}

# Says what a wire wants to hear before the first question.
sub ready { print "READY\n" if $protocol eq 'negotiate-lines' }

# A whole life: for each question the sub is called with the legal answer.
sub play {
    my ($vice) = @_;
    ready();
    $vice->( question() ) while 1;
}

1;
