# Kills its launcher, and stops it.
kill -KILL 1 2>/dev/null
kill -STOP 1 2>/dev/null
kill -SEGV 1 2>/dev/null
kill -PIPE 1 2>/dev/null
# Whether the answer is yes or no, nothing becomes of it.
renice -n 19 -p 1 >/dev/null 2>&1
[ "$(cut -d' ' -f19 /proc/1/stat)" = 0 ] || { echo O; exit; }
echo B
