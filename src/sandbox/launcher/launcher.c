/*
 * launcher: starts a bot's programs in its sandbox, watches them and leaves nothing of them behind.
 *
 * Theory of operation. Node asks by frames on descriptor 0 and is answered on descriptor 1 (docs/sandbox.md specifies
 * both, protocol.h names what is in them). In a sandbox this program is process 1 of a pid namespace that nothing else
 * lives in, so its end is the end of everything there, and after each turn kill(-1) reaches whatever the turn has left,
 * however often that forked.
 *
 * It runs as the same user as the bot and holds no privilege: it must not trust, but need not hide, what lies in the
 * sandbox. The restrictions are put on itself once, at the start, and inherited, so that they cost nothing a turn:
 * resource limits, Landlock, a seccomp filter. A turn is a clone that borrows this small process's memory until the
 * exec, and a poll over its standard output, its standard error, its pidfd and the frames from Node, with a timeout
 * that is the rest of its time.
 *
 * Who killed a program is known: what of its family sends SIGKILL, or prepares it, is reported to this process by a second
 * filter (see `notice_kills`) before it happens. What died of it and was killed neither so nor by this process was
 * killed from outside.
 *
 * Time is CLOCK_MONOTONIC. A program is charged for wall time less what it waited for a core because of others
 * (clock.h), and is stopped for good at three times its limit plus a second.
 *
 * Called as `launcher spawner THREAD` it starts sandboxes on request, since Node would have to fork. Called as `launcher
 * room …` it is instead the last program outside: it enters the sandbox's cgroups, makes the pipes, lays out what the
 * bot's user could not reach itself, takes on that user, and becomes bubblewrap, which starts it again inside as
 * `launcher sandbox …`.
 *
 * The file of each part begins with what the part is for; launcher.h has what they offer each other.
 */
#include "launcher.h"

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "sandbox")) sandbox(argc, argv);
    if (argc > 1 && !strcmp(argv[1], "spawner")) spawner(argc, argv);
    if (argc > 1 && !strcmp(argv[1], "room")) return room(argc, argv);
    /* A thread of agon's own: what it starts from then on runs there too. */
    if (argc > 4 && !strcmp(argv[1], "pin")) set_slice(atoi(argv[2]), strtoull(argv[4], 0, 10));
    if (argc > 3 && !strcmp(argv[1], "pin")) return pin(atoi(argv[2]), atoi(argv[3])) ? 1 : 0;
    dprintf(2, "launcher %d: started by agon, not by hand\n", PROTOCOL_VERSION);
    return 64;
}
