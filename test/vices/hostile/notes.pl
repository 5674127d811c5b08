# Passes a note to its next turn through any place that can be written.
my @places = map { "$_/note" } '/tmp', '/dev/shm', '/dev', '.', '/var/tmp', '/run', '/game', '/bot', '/agon', '/', $ENV{HOME} // '/';
for my $place (@places) { if (-e $place) { print "O\n"; exit } }
for my $folder ('/tmp', '/dev/shm', '/game') { if ((stat $folder)[9] == 7) { print "O\n"; exit } }
(print "O\n"), exit if syscall(29, 7, 4096, 0) >= 0;    # shared memory of System V, as it was left
(print "O\n"), exit if getpriority(0, 1) != 0;
for my $place (@places) { if (open my $note, '>', $place) { print $note 'x'; close $note; unlink $place if $place =~ /^(?:\.|$ENV{HOME})/ } }
utime 7, 7, $_ for '/tmp', '/dev/shm', '/game';
syscall 29, 7, 4096, 01600;
setpriority 0, 1, 5;
mkdir '/tmp/deep'; chmod 0, '/tmp/deep';
print "B\n";
