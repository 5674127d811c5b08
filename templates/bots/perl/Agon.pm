# Reads agon's questions and writes the answers: a line of JSON each way. Debug with print STDERR or warn: standard output belongs to
# the answers.
package Agon;
use strict;
use warnings;
use JSON::PP;

# Your own chance. A bot that takes its chance from nothing else plays the same again from the same seed.
srand($ENV{AGON_SEED} // 1);

# What was told at the beginning of the match: seat (your own, from 0), seats (how many), options and view.
our $start = {};

# Answers each question with choose->($view, $legal), until there are no more.
sub play {
    my ($choose) = @_;

    # Without this an answer would stay in Perl's own buffer.
    $| = 1;
    while (my $line = <STDIN>) {
        my $message = decode_json($line);
        if ($message->{type} eq 'start') { $start = $message }
        next unless $message->{type} eq 'ask';
        # If legal is a shape, agon sends one example.
        my $legal = ref $message->{legal} eq 'ARRAY' ? $message->{legal} : [ $message->{example} ];
        my $action = $choose->($message->{view}, $legal);
        # The question's number shows which one is answered.
        print encode_json({ action => "$action", n => $message->{n} }), "\n";
    }
}

1;
