/* guard: runs a program and stays beside it until it ends, or until agon has: then nothing of it is left. */
#ifndef AGON_GUARD_H
#define AGON_GUARD_H

/*
 * Runs a program by its path and words; all signals are blocked already. Gives its exit code, or 128 and its signal; 0
 * where agon has ended, or has sent SIGTERM.
 */
int guard(char **argv);

#endif
