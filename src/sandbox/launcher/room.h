/*
 * room: the launcher outside: lays out what a sandbox is made of, becomes the bot's user, and guards bubblewrap, which
 * makes it.
 */
#ifndef AGON_ROOM_H
#define AGON_ROOM_H

/*
 * launcher room [--user N] [--cgroup FOLDER]… [--cpu FILE] [--core N] [--pipes] [--stage PATH]… [--data FD TEXT]…
 *               -- program argument…
 *
 * Gives the exit code of the program.
 */
int room(int argc, char **argv);

#endif
