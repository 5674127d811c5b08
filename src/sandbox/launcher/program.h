/* program: starts a program, quickly: a clone that borrows this small process's memory until the exec. */
#ifndef AGON_PROGRAM_H
#define AGON_PROGRAM_H
#include <sys/types.h>
#include "request.h"

/*
 * What to start, with the descriptors of its standard streams. `failed`: the errno of an exec that did not come about.
 */
typedef struct { request *r; int in, out, err, failed; } start;

extern int nothing; /* /dev/null, open */

/*
 * Opens this process's own oom_score_adj. Where memory runs out, the kernel is to end what the bot has started, and not
 * this process: a program inherits how willingly it is ended, so this process takes on the most for the moment of its
 * start. A bot cannot change it back: Landlock closes /proc to it.
 */
void open_willing(void);

/* Starts it in its folder. Gives the pid and its pidfd, or 0 with errno. */
pid_t launch(start *s, int *pidfd);

#endif
