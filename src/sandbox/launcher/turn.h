/* turn: one program from its start to its end: started, watched, killed if it is late or floods, reported. */
#ifndef AGON_TURN_H
#define AGON_TURN_H
#include "program.h"

/* Runs a turn to its end, and answers what it came to. */
void run_turn(request *r);

#endif
