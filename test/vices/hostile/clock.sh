# Changes the clock.
date -s '2001-01-01' >/dev/null 2>&1 && echo O && exit
echo B
