# Signals every process there is.
for signal in HUP TERM STOP KILL; do kill -$signal -1; done
echo B
