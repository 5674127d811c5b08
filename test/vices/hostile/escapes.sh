# Writes what a terminal obeys.
printf '\033[2J\033]0;owned\007\033[31m' >&2
printf 'B\033[2J\033]0;owned\007\n'
