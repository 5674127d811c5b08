#!/bin/sh
# Bluster: raises twice of three times, whatever it holds, and calls otherwise. Chance comes from AGON_SEED alone.
seed=${AGON_SEED:-1}
while read -r line; do
  case $line in
  *'"type":"ask"'*)
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    action=call
    case $line in *'"raise"]}') [ $((seed / 65536 % 3)) -eq 0 ] || action=raise ;; esac
    echo "{\"action\":\"$action\"}"
    ;;
  esac
done
