/* staying: a program that stays: started, watched while a question is open, stopped between questions, reported. */
#ifndef AGON_STAYING_H
#define AGON_STAYING_H
#include <sys/types.h>
#include "frames.h"
#include "program.h"

extern int bot_in, bot_out; /* the pipes of a program that stays; -1: there are none */

/* Starts it, in place of its forerunner, and answers whether it runs. */
void stay_start(request *r);

/* A request about it. What is about a forerunner is nothing to it, but where the request is to be answered it is. */
void stay_asked(const frame *f);

/*
 * Waits for a request, and does meanwhile what is to be done for the program that stays. Gives whether there is a
 * request.
 */
int stay_wait(void);

#endif
