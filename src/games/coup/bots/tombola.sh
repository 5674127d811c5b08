#!/bin/sh
# Tombola: any legal move, each as likely as the others, and any two cards in an exchange. Chance comes from AGON_SEED alone.
game=$1 cards=$4
shift 4
seed=${AGON_SEED:-1}

# An exchange offers nothing but a newline; there are two cards more than the hand has, so three or four.
if [ $# -eq 1 ] && [ "$1" = '
' ] && [ ${#cards} -ge 3 ]; then
  keep=$((${#cards} - 2)) kept=
  while [ "$keep" -gt 0 ]; do
    at=$((seed % ${#cards})) seed=$((seed / ${#cards}))
    rest=$cards left=
    while [ "$at" -gt 0 ]; do
      left=$left${rest%"${rest#?}"} rest=${rest#?} at=$((at - 1))
    done
    kept=$kept${rest%"${rest#?}"} cards=$left${rest#?} keep=$((keep - 1))
  done
  printf '%s' "$kept"
fi

shift $((seed % $#))
printf '%s' "$1" >>"$game"
