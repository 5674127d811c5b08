/*
 * warm: the warm parent: an interpreter that is started and has run nothing of the bot's.
 *
 * It is sent the words of each program on a socket, and forks: the child tells its pid, and waits at another socket, the
 * gate, for its standard streams. So a program's time begins when all that the parent does for it is done, and nothing that
 * happens to the parent meanwhile is a matter of its time: the parent sleeps until it is asked how the program ended, and its
 * child's books lie open until then. A program that stays it lets go: it forks twice, and its grandchild is adopted by the
 * launcher. A socket cannot be opened through /proc,
 * so a bot reaches neither requests nor its parent's memory, which Landlock keeps from being written. What cannot be sent, or
 * a parent that is gone or does not answer, is a fresh start.
 */
#ifndef AGON_WARM_H
#define AGON_WARM_H
#include "family.h"
#include "frames.h"
#include "program.h"

/* Starts the parent that a frame names, from now on, and answers whether it is there. */
void warm_asked(const frame *f);

/*
 * Has a program forked from it, which waits. Gives its pid and pidfd, or 0 where it is to be started afresh. The parent is
 * started again where it has gone.
 */
pid_t warm_fork(const request *r, int stays, int *pidfd);
/* Has it begin, with its streams. Gives 0 where that cannot be sent, and nothing is left of it. */
int warm_begin(const start *s);
/* Waits for the end of one that does not stay: gives its status, as wait has it, and adds what it used. */
void warm_reap(pid_t pid, int *status, usage *used);

#endif
