#!/bin/sh
# Penny: bets by the toss of a coin. Chance comes from AGON_SEED alone.
seed=${AGON_SEED:-1}
while read -r line; do
  case $line in
  *'"type":"ask"'*)
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    if [ $((seed / 65536 % 2)) -eq 0 ]; then echo '{"action":"bet"}'; else echo '{"action":"pass"}'; fi
    ;;
  esac
done
