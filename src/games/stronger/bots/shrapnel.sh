# Shrapnel: flies at anyone who is alive, itself included, or at nobody. Each is equally likely.
[ $# -eq 0 ] && echo ok && exit
shift
choices=D
count=1
for bot in "$@"; do
  rest=${bot#*,}
  [ "${rest%%,*}" -gt 0 ] && choices="$choices ${bot%%,*}" && count=$((count + 1))
done
set -- $choices
shift $((AGON_SEED % count))
echo "$1"
