# Replaces its own executable.
echo 'echo O' >"$0" 2>/dev/null
rm -f "$0" 2>/dev/null
mv /tmp/x "$0" 2>/dev/null
echo B
