# Comes an hour too late.
sleep 3600
echo O
