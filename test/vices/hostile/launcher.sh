# Kills its launcher, and stops it.
kill -KILL 1 2>/dev/null
kill -STOP 1 2>/dev/null
kill -SEGV 1 2>/dev/null
kill -PIPE 1 2>/dev/null
renice -n 19 -p 1 >/dev/null 2>&1 && echo O && exit
echo B
