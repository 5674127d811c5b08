# Binds a port of the host, and waits there. Its argument: the port.
use Socket;
socket(my $s, PF_INET, SOCK_STREAM, 0);
bind($s, pack_sockaddr_in($ARGV[0], INADDR_ANY));
listen $s, 5;
print "B\n";
