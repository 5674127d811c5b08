# Leaves zombies.
for (1 .. 30) { fork or exit }
print "B\n";
