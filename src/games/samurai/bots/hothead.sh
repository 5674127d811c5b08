# Hothead: spends every honour on a strike the moment it is earned; any strike will do.
shift $(($# - 2))
honour=$1
set -- I P O
shift $((AGON_SEED % 3))
[ "$honour" -gt 0 ] && echo "$1" || echo B
