# Keeps a core busy after it has answered.
$| = 1;
if (!fork) { close STDOUT; 1 while 1 }
print "B\n";
