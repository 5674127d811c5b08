/* sandbox: the launcher inside: puts the restrictions on itself, then answers agon's requests until agon ends. */
#ifndef AGON_SANDBOX_H
#define AGON_SANDBOX_H

/*
 * launcher sandbox [--pipes] [--cpu] [--counted] [--state FOLDER BYTES] [--private FOLDER]… [--limit NAME VALUE]… [--restrict]
 *
 * Requests are read from descriptor 0, answers go to 1; 3 and 4 are the pipes of a program that stays (--pipes), 5 is
 * the file with the CPU time of the sandbox's cgroup (--cpu). --counted: a cgroup limits the sandbox's memory, of
 * whatever kind.
 */
_Noreturn void sandbox(int argc, char **argv);

#endif
