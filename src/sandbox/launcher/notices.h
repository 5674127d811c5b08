/*
 * notices: who killed it. The family's calls that send SIGKILL, or make the kernel send it later, wait until this
 * process has learnt of them (filter-signals.c), and are then carried out. What was noticed since the program was started
 * is all that is asked.
 */
#ifndef AGON_NOTICES_H
#define AGON_NOTICES_H
#include <stdint.h>

extern int notices;      /* where they arrive; -1: the kernel cannot */
extern int family_kills; /* a SIGKILL may be the family's own */

/* Receives one call, which goes on. */
void heed(void);

/* Waits for a descriptor, and receives the family's calls meanwhile. Gives whether it is readable. */
int wait_for(int fd, uint64_t ns);

/* NOTE_FAMILY and NOTE_KNOWN, as far as they hold. */
uint32_t killers(void);

#endif
