# Makes a million small files.
for my $n (1 .. 1_000_000) { open my $file, '>', "/tmp/$n" or last }
print "B\n";
