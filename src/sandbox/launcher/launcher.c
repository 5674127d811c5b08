/*
 * launcher: starts a bot's programs in its sandbox, watches them and leaves nothing of them behind.
 *
 * Node asks by frames on descriptor 0 and is answered on descriptor 1 (docs/sandbox.md specifies both, protocol.h names
 * what is in them). In a sandbox this program is process 1 of its own pid namespace: all there ends with it, and after
 * each turn kill(-1) reaches all that the turn has left, however often that forked.
 *
 * It runs as the bot's user without privilege: it must not trust what lies in the sandbox, but need not hide it. It
 * puts the restrictions (resource limits, Landlock, a seccomp filter) on itself once, and all inherit them, so they
 * cost nothing a turn. A turn is a clone that borrows this small process's memory until the exec, and a poll over its
 * output, its errors, its pidfd and Node's frames for the rest of its time.
 *
 * Who killed a program is known: a second filter (`notice_kills`) reports each SIGKILL of its family, or its
 * preparation, to this process before it happens. What neither these nor this process killed was killed from outside.
 *
 * Time is CLOCK_MONOTONIC. A program is charged for wall time less what it waited for a core because of others
 * (clock.h), and is stopped for good at three times its limit plus a second.
 *
 * Called as `launcher spawner THREAD` it starts sandboxes on request, since Node would have to fork. Called as
 * `launcher room …` it enters the sandbox's cgroups, makes the pipes, lays out what the bot's user could not reach,
 * takes on that user, and becomes bubblewrap, which starts it again inside as `launcher sandbox …`.
 *
 * launcher.h has what the parts offer each other.
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
