# Takes memory and touches it, until there is none.
my @hoard;
push @hoard, 'x' x 8_000_000 while 1;
