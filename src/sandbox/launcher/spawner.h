/* spawner: starts sandboxes for a thread of agon, whose own process is too large to be forked quickly. */
#ifndef AGON_SPAWNER_H
#define AGON_SPAWNER_H

/* Serves agon's requests to start and to signal programs, until agon has ended. The word after its name: agon's thread. */
_Noreturn void spawner(int argc, char **argv);

#endif
