/* family: every process of the sandbox but this one: how each is found, signalled, killed and reaped; and who killed it. */
#ifndef AGON_FAMILY_H
#define AGON_FAMILY_H
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

extern pid_t keeper;      /* the warm parent, where there is one: it is no part of the family */
extern uint64_t password; /* what this process's own signals carry past its filters */

/* What processes have used: CPU in ns, and the peak of the largest in KiB. */
typedef struct { uint64_t cpu, maxrss; } usage;
void add_usage(usage *u, const struct rusage *r);

/* Calls for each process of the family. */
void each_process(void (*call)(pid_t, void *), void *with);

void send_signal(pid_t pid, int signal);
/* Signals all of the family: without a warm parent in one call, in which the kernel lets nothing fork away. */
void signal_family(int signal);

/* Whether a process of the warm parent's, which has ended, has left others that run. Those of them that have ended are reaped. */
int leaves_processes(pid_t pid, usage *u);

/* Kills and reaps what is left of the family; what it used is added. */
void sweep(usage *u);

/*
 * The family's calls that send SIGKILL, or make the kernel send it later, wait until this process has learnt of them
 * (`notice_kills`), and are then carried out. What was noticed since the program was started is all that is asked.
 */
extern int notices;      /* where they arrive; -1: the kernel cannot */
extern int family_kills; /* a SIGKILL may be the family's own */

/* Receives one call, which goes on. */
void heed(void);

/* Waits for a descriptor, and receives the family's calls meanwhile. Gives whether it is readable. */
int wait_for(int fd, uint64_t ns);

/* NOTE_FAMILY and NOTE_KNOWN, as far as they hold. */
uint32_t killers(void);

#endif
