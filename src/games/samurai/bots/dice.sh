# Dice: throws one die and does what it shows, honour or no honour.
set -- W B G I P O
shift $((AGON_SEED % 6))
echo "$1"
