/*
 * warm: the warm parent: an interpreter that is started and has run nothing of the bot's.
 *
 * It is sent a turn's arguments as one packet with the three descriptors of its standard streams, forks, and reports by a
 * packet how its child ended: i32 status, u64 CPU, u64 peak memory. A program that stays it lets go: it forks twice, its child
 * ends, and its grandchild is adopted by the launcher; the packet is i32 the grandchild's pid. A socket cannot be opened through /proc, so a turn
 * reaches neither its requests nor its memory, which Landlock keeps from being written. What cannot be sent, or a
 * parent that is gone or does not answer, is a fresh start.
 */
#ifndef AGON_WARM_H
#define AGON_WARM_H
#include "family.h"
#include "frames.h"
#include "program.h"

extern int warm_socket; /* readable when its turn has ended; -1: there is no parent */

/* Starts the parent that a frame names, from now on, and answers whether it is there. */
void warm_asked(const frame *f);

/* Whether it waits for a turn; it is started again where it has gone. */
int warm_ready(void);
/* Has a turn forked from it. Gives 0 where the turn is to be started afresh. */
int warm_send(const start *s);
/*
 * Has a program that stays forked from it, which is this process's own child then. Gives its pid and pidfd, or 0 where it
 * is to be started afresh.
 */
pid_t warm_launch(const start *s, int *pidfd);
/* What it has waited for a core since it was started. */
uint64_t warm_waited(void);

/* How the turn has ended, as wait has it; what it used is added. */
int warm_wait(usage *used);

#endif
