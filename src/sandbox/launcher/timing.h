/*
 * timing: the books of the family's time, as /proc shows them; what they come to is judged by clock.h.
 *
 * For each task /proc has how long it ran and how long it waited for a core, and each process has a clock of all that its
 * threads have run, also of those that have ended. What processes ran that have ended is in the sandbox's cgroup, where it
 * has one that counts CPU; otherwise a family of which something has ended is credited nothing. All times are nanoseconds.
 */
#ifndef AGON_TIMING_H
#define AGON_TIMING_H
#include <stddef.h>
#include <stdint.h>
#include "clock.h"

/* `id`: a task; or minus a process. */
typedef struct { int32_t id; uint64_t ran, waited, unbooked; int runnable; } entry;
typedef struct { entry *at; size_t count, room; uint64_t when; } books;
typedef struct {
    books base, last;          /* at the beginning, and at the last look */
    uint64_t began, head;      /* of the question; what is credited of the time before `base` */
    uint64_t group, own;       /* CPU of the cgroup, and of this process in it, at `base` */
    uint64_t sure, maybe, cpu; /* what the last look came to (clock.h); `cpu` since `base` */
    uint64_t longest;          /* what the task ran that ran longest, since `base` */
    uint64_t number, seen;     /* the last process number that was given at `base`, and at the last look */
    int lost;                  /* something of the family has ended since `base`: what it ran is not known */
} timing;

extern int group_cpu; /* the file with the CPU time of the sandbox's cgroup, or -1 */

/* Opens this process's own books. */
void open_own_books(void);
/* What this process itself has waited for a core: so long what it sees may have happened before. */
uint64_t own_wait(void);

/* What the family has run, by the sandbox's cgroup; else what of it is there has run. */
uint64_t family_ran(void);

/* Begins the books of a family whose books are `last` already. */
void timing_begin(timing *t, uint64_t began);
/*
 * The same of a program that begins now. `forked`: what it has run and waited before that; id 0: it was not there yet;
 * `number`: the last number that was given before it began.
 */
void timing_begin_new(timing *t, uint64_t began, entry forked, uint64_t number);
/* The number that was given last in the sandbox's namespace, to a process or a thread; 0 where a cgroup counts CPU. */
uint64_t last_number(void);
/* What a task has run, and has waited for a core. */
entry entry_of_task(int32_t id);
/* From now on counts what comes after the last look. */
void timing_base(timing *t);
/*
 * Looks at the family: what it is credited since the beginning, as of `last.when`. This process may wait for its core in
 * the midst of that: the caller judges by that time, not by a later one. `doubt`: also what is not booked yet.
 */
void timing_look(timing *t, int doubt);
/* Looks, and judges what began then by the rule of clock.h: the one judge of all that runs in a sandbox. */
look timing_judge(timing *t, uint64_t limit);
/* The same look at a program that has ended, and not been reaped. */
void timing_end(timing *t);

#endif
