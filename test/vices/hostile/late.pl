# Comes a millisecond too late: its limit is its last argument.
select undef, undef, undef, ($ENV{LATE} // 0.301);
print "G\n";
