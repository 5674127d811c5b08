# Stops itself.
kill -STOP $$
echo O
