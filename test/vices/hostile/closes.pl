# Closes its output and stays.
close STDOUT;
close STDERR;
sleep 1 while 1;
