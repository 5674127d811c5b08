/* limits: the resource limits, the core and the slice that this process puts on itself, and all that it starts inherits. */
#ifndef AGON_LIMITS_H
#define AGON_LIMITS_H
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/*
 * The length that `pin` gives, a secret once a filter lets no other through. Of it the kernel looks at the set's alone.
 */
extern uint64_t pin_key;

/* Binds a thread (0: this process) to a core; a negative one: to none. Gives 0, or 1 with errno. */
int pin(pid_t thread, int core);

/*
 * Gives a thread (0: this process) its share of a core in pieces of so many nanoseconds; 0: of the system's usual length. The share stays
 * the same. Where the kernel knows no such thing nothing changes.
 */
void set_slice(pid_t thread, uint64_t ns);

/* Has this process run on the cores of a thread, in pieces of the same length. Where that cannot be, nothing changes. */
void run_like(pid_t thread);

/* Open files, of the bot's programs alone: this process keeps its own out of their way, from 200 on. 0: no limit. */
extern struct rlimit files_limit;

/*
 * Sets a limit by its name: data, processes, files, file, stack. Dies where there is no such limit, or it cannot be
 * set.
 */
void set_limit(const char *name, uint64_t value);

/* Sets those that every sandbox has. */
void set_usual_limits(void);

#endif
