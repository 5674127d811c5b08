/*
 * filter-signals: what becomes of a family's calls that send a signal which this process alone may send, or has to learn
 * of.
 *
 * Those calls are kill and its kin with that signal, a death signal or a signal of a child's end that is it, and a timer,
 * whose signal lies in memory, so any. This process's own calls carry a password in a register that
 * kill does not read; no bot can read this process or its filters.
 */
#define _GNU_SOURCE
#include "filter-signals.h"
#include "filter.h"
#include "notices.h"

#ifdef ARCHITECTURE
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include "base.h"
#include "family.h"

enum { CPU_WINDOW = 15 /* RLIMIT_RTTIME */, NEW_LISTENER = 8, PIDFD_SEND_SIGNAL = 424 };

/* The call's number is loaded before each of these and, where it is another call, after it. */

static void steps_for_kill(uint32_t signal, uint32_t verdict) {
    step(EQUAL, 0, 8, SYS_kill);
    step(LOAD, 0, 0, AT_LOW(1));
    step(EQUAL, 0, 5, signal);
    step(LOAD, 0, 0, AT_LOW(2));
    step(EQUAL, 0, 2, (uint32_t)password);
    step(LOAD, 0, 0, AT_HIGH(2));
    step(EQUAL, 1, 0, (uint32_t)(password >> 32));
    step(RETURN, 0, 0, verdict);
    step(RETURN, 0, 0, VERDICT_ALLOW);
}

/* Calls that send a signal in one of their words. */
static void steps_for_senders(uint32_t signal, uint32_t verdict) {
    static const struct { uint16_t call, word; } senders[] = {{SYS_tkill, 1},
                                                              {SYS_rt_sigqueueinfo, 1},
                                                              {PIDFD_SEND_SIGNAL, 1},
                                                              {SYS_tgkill, 2},
                                                              {SYS_rt_tgsigqueueinfo, 2}};
    for (int i = 0; i < COUNT(senders); i++) {
        step(EQUAL, 0, 4, senders[i].call);
        step(LOAD, 0, 0, AT_LOW(senders[i].word));
        step(EQUAL, 0, 1, signal);
        step(RETURN, 0, 0, verdict);
        step(RETURN, 0, 0, VERDICT_ALLOW);
    }
}

/* Calls that have the kernel send one later: at the end of a parent, and at that of a child. */
static void steps_for_later(uint32_t signal, uint32_t verdict) {
    step(EQUAL, 0, 6, SYS_prctl);
    step(LOAD, 0, 0, AT_LOW(0));
    step(EQUAL, 0, 3, PR_SET_PDEATHSIG);
    step(LOAD, 0, 0, AT_LOW(1));
    step(EQUAL, 0, 1, signal);
    step(RETURN, 0, 0, verdict);
    step(RETURN, 0, 0, VERDICT_ALLOW);
    step(EQUAL, 0, 5, SYS_clone); /* the signal of its end, sent to its parent */
    step(LOAD, 0, 0, AT_LOW(0));
    step(KEEP_BITS, 0, 0, 0xff);
    step(EQUAL, 0, 1, signal);
    step(RETURN, 0, 0, verdict);
    step(RETURN, 0, 0, VERDICT_ALLOW);
}

/* The last of them: all other calls are allowed. */
static void steps_for_timers(uint32_t verdict) {
    step(EQUAL, 0, 1, SYS_timer_create);
    step(RETURN, 0, 0, verdict);
    step(RETURN, 0, 0, VERDICT_ALLOW);
}

/* New limits of processor time, past which the kernel kills. */
static void steps_for_cpu_limits(void) {
    step(EQUAL, 0, 5, SYS_setrlimit);
    step(LOAD, 0, 0, AT_LOW(0));
    step(EQUAL, 1, 0, RLIMIT_CPU);
    step(EQUAL, 0, 1, CPU_WINDOW);
    step(RETURN, 0, 0, VERDICT_NOTIFY);
    step(RETURN, 0, 0, VERDICT_ALLOW);
    step(EQUAL, 0, 9, SYS_prlimit64);
    step(LOAD, 0, 0, AT_LOW(1));
    step(EQUAL, 1, 0, RLIMIT_CPU);
    step(EQUAL, 0, 5, CPU_WINDOW);
    step(LOAD, 0, 0, AT_LOW(2)); /* no new limits: it only asks */
    step(EQUAL, 0, 2, 0);
    step(LOAD, 0, 0, AT_HIGH(2));
    step(EQUAL, 1, 0, 0);
    step(RETURN, 0, 0, VERDICT_NOTIFY);
    step(RETURN, 0, 0, VERDICT_ALLOW);
}

void notice_kills(void) {
    step(LOAD, 0, 0, AT_ARCHITECTURE);
    step(EQUAL, 1, 0, ARCHITECTURE);
    step(RETURN, 0, 0, VERDICT_ALLOW); /* the other filter ends it */
    step(LOAD, 0, 0, AT_CALL);
    steps_for_kill(SIGKILL, VERDICT_NOTIFY);
    steps_for_senders(SIGKILL, VERDICT_NOTIFY);
    steps_for_later(SIGKILL, VERDICT_NOTIFY);
    steps_for_cpu_limits();
    steps_for_timers(VERDICT_NOTIFY);
    notices = install_filter(NEW_LISTENER);
    if (notices >= 0) notices = high(notices);
}

/*
 * There is no timer but those that send their own signal (setitimer, alarm, timerfd), and no process group beside that of a
 * session: the kernel continues a stopped one when it is orphaned, by whatever end of a process.
 */
int refuse_continues(void) {
    step(LOAD, 0, 0, AT_CALL);
    steps_for_kill(SIGCONT, VERDICT_ERROR | EPERM);
    steps_for_senders(SIGCONT, VERDICT_ERROR | EPERM);
    steps_for_later(SIGCONT, VERDICT_ERROR | EPERM);
    step(EQUAL, 0, 1, SYS_setpgid);
    step(RETURN, 0, 0, VERDICT_ERROR | EPERM);
    steps_for_timers(VERDICT_ERROR | EAGAIN);
    return !install_filter(0);
}
#else
void notice_kills(void) {}
int refuse_continues(void) { return 0; }
#endif
