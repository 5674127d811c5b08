# Metronome: bows and strikes in turn, each strike another one. The beat is the number of turns so far.
history=
[ $# -eq 6 ] && history=$1
set -- B I B O B P
shift $((${#history} % 6))
echo "$1"
