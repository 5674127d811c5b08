/* turn: one program from its start to its end: started, watched, killed where it is late or floods, reported. */
#ifndef AGON_TURN_H
#define AGON_TURN_H
#include "bytes.h"
#include "program.h"
#include "protocol.h"
#include "timing.h"

/* How a turn has gone so far. */
typedef struct {
    bytes out, err;
    uint64_t err_total;    /* bytes of standard error, also of those that are no longer kept */
    uint64_t began, ended; /* ns of the monotonic clock; `ended` 0: not yet seen */
    uint64_t known, waited;    /* when it was last seen to run, and what the launcher had waited for its own core by then */
    entry forked;              /* what it had run and waited before it began, where it was forked; id 0: it was started */
    uint64_t number;           /* the last process number that was given before */
    timing time;
    int looked; /* the books of its time are open: it took long */
    enum stop stop;
} turn;

/* A program that runs: its pid, what is readable when it has ended, and our ends of its streams; -1: no standard input. */
typedef struct { pid_t pid; int done, in, out, err; } running;

/* Runs a turn to its end, and answers what it came to. */
void run_turn(request *r);

/* Reads once what is there of its standard error, whose end is kept. Gives 0 at the end. */
int read_errors(turn *t, int fd);

/*
 * Watches a started program to its end, or kills it with its family: `stop` says why. Its standard input is closed, and
 * -1, once it is written. (watch.c, as what follows.)
 */
void watch(turn *t, const request *r, running *p);

/*
 * Judges a program that has ended by its books, which can still be read. Its end may be the first that the launcher
 * sees of it: where the machine stood still, no look came before. When it ended is known from when the launcher saw it:
 * it did not end before it had run for as long as its books say.
 */
void judge_ended(turn *t, const request *r);

#endif
