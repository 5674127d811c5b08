# Connects to the host: its ports, a public address, its unix sockets by path and by name. Its arguments: a port, a path, a name.
use Socket;
my ( $port, $path, $name ) = @ARGV;

sub knock {
    my ( $family, $address ) = @_;
    socket( my $door, $family, SOCK_STREAM, 0 ) or return;
    connect( $door, $address ) and do { print "O\n"; exit };
}
$SIG{ALRM} = sub { print "B\n"; exit };
alarm 1;
knock( PF_INET, pack_sockaddr_in( $port, inet_aton('127.0.0.1') ) );
knock( PF_INET, pack_sockaddr_in( 53, inet_aton('8.8.8.8') ) );
knock( PF_UNIX, pack_sockaddr_un($path) );
knock( PF_UNIX, pack( 'S a*', AF_UNIX, "\0$name" ) );
print "B\n";
