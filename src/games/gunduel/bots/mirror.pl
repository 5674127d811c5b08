# Mirror: takes it that the foe does again what it did last, and does what is best against that.
use strict;
use warnings;
$| = 1;

my ( $rounds, $last );
while (<STDIN>) {
    if    (/^I/)      { $rounds = 0; $last = '' }
    elsif (/^P(.)/)   { $last = $1 }
    elsif (/^F/)      {
        my $action
            = $last eq '1'                  ? '-'
            : $last eq '2'                  ? '='
            : $last eq '-' && $rounds >= 2  ? '2'
            : $last =~ /[0=]/ && $rounds    ? '1'
            :                                 '0';
        $rounds += { 0 => 1, 1 => -1, 2 => -2 }->{$action} // 0;
        print "$action\n";
    }
}
