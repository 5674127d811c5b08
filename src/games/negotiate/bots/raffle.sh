#!/bin/sh
# Raffle: draws every lord by lot, each as likely as the others. Chance comes from AGON_SEED alone.
state=${AGON_SEED:-1}
draw() { # a number below $1, from the high bits of a linear congruential generator
  state=$(((state * 1103515245 + 12345) % 2147483648))
  drawn=$((state / 65536 % $1))
}

echo READY
read -r turns daimyo lords
read -r forces
while read -r turn kind; do
  lines=$((lords + 1)) count=2
  [ "$kind" = D ] && lines=$((lords + 2)) count=5
  while [ "$lines" -gt 0 ]; do
    read -r line
    lines=$((lines - 1))
  done
  answer=
  while [ "$count" -gt 0 ]; do
    draw "$lords"
    answer="$answer $drawn" count=$((count - 1))
  done
  echo "${answer# }"
done
