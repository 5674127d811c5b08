/* launcher: what it may be called as (launcher.c); the words begin behind its name. */
#ifndef AGON_LAUNCHER_H
#define AGON_LAUNCHER_H

/* launcher spawner THREAD: serves agon's requests to start and to signal programs for that thread, until agon has ended. */
_Noreturn void spawner(int argc, char **argv);

/*
 * launcher room [--user N] [--cgroup FOLDER]… [--cpu FILE] [--core N] [--slice NS] [--pipes] [--stage PATH]…
 *               [--data FD TEXT]… -- program argument…
 *
 * Gives the exit code of the program.
 */
int room(int argc, char **argv);

/*
 * launcher sandbox [--pipes] [--cpu] [--counted] [--state FOLDER BYTES] [--private FOLDER]… [--limit NAME VALUE]… [--restrict]
 *
 * Requests are read from descriptor 0, answers go to 1; 3 and 4 are the pipes of a program that stays (--pipes), 5 is
 * the file with the CPU time of the sandbox's cgroup (--cpu). --counted: a cgroup limits the sandbox's memory, of
 * whatever kind.
 */
_Noreturn void sandbox(int argc, char **argv);

#endif
