# Thornbush: strikes back at the most powerful of those who struck it. In quiet it pricks whoever has the most life, and
# defends now and then.
[ $# -eq 0 ] && echo ok && exit
own=$1
shift
sharpest=0 attacker= healthiest=0 other= others=0
for bot in "$@"; do
  IFS=, read -r id life power last <<END
$bot
END
  [ "$id" = "$own" ] || [ "$life" -lt 1 ] && continue
  others=$((others + 1))
  [ "$life" -gt $healthiest ] && healthiest=$life other=$id
  [ "$last" = "$own" ] && [ "$power" -gt $sharpest ] && sharpest=$power attacker=$id
done
if [ -n "$attacker" ]; then echo "$attacker"
elif [ $others -gt 1 ] && [ $((AGON_SEED % 3)) -eq 0 ]; then echo D
else echo "$other"
fi
