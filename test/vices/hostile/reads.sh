# Reads what is not its own: homes, other processes, the host's accounts, what its arguments name.
for path in /root /home /work /srv /mnt /boot /sys /run/user /etc/passwd /etc/shadow /etc/hostname /var/log "$@"; do
    [ "$path" = x ] && continue
    ls -d "$path"/* >/dev/null 2>&1 && echo O && exit
    [ -f "$path" ] && cat "$path" >/dev/null 2>&1 && echo O && exit
done
for process in /proc/[0-9]*; do
    case $process in /proc/1 | /proc/$$) continue ;; esac
    cat "$process/environ" >/dev/null 2>&1 && grep -qa agon "$process/cmdline" && echo O && exit
done
cat /proc/1/environ /proc/1/maps /proc/1/mem 2>/dev/null | grep -q . && echo O && exit
env | grep -qvE '^(PATH|HOME|LANG|AGON_SEED|PWD|SHLVL|_|OLDPWD)=' && echo O && exit
echo B
