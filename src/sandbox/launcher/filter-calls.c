/* filter-calls: which system calls a bot has (calls.h). */
#define _GNU_SOURCE
#include "filter-calls.h"
#include "filter.h"

#ifdef ARCHITECTURE
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
#include "base.h"
#include "calls.h"
#include "limits.h"

/* Memory that is shared and has no file counts for no process, only for a cgroup. */
static void refuse_shared_memory(void) {
    step(EQUAL, 0, 6, SYS_mmap);
    step(LOAD, 0, 0, AT_LOW(3));
    step(ANY_BIT, 0, 3, 0x20);
    step(KEEP_BITS, 0, 0, 1); /* MAP_SHARED, and MAP_SHARED_VALIDATE */
    step(EQUAL, 0, 1, 1);
    step(RETURN, 0, 0, VERDICT_ERROR | ENOMEM);
    step(RETURN, 0, 0, VERDICT_ALLOW);
}

/* Locks succeed and do nothing. */
static void filter_fcntl(void) {
    step(EQUAL, 0, 6, SYS_fcntl);
    step(LOAD, 0, 0, AT_LOW(1));
    step(EQUAL, 0, 3, F_SETFL);
    step(LOAD, 0, 0, AT_LOW(2));
    step(ANY_BIT, 0, 1, O_ASYNC);
    step(RETURN, 0, 0, VERDICT_ERROR | EINVAL);
    step(LOAD, 0, 0, AT_CALL);
    step(EQUAL, 0, COUNT(fcntls) + COUNT(locks) + 4, SYS_fcntl);
    step(LOAD, 0, 0, AT_LOW(1));
    for (int i = 0; i < COUNT(fcntls); i++) step(EQUAL, COUNT(fcntls) - i + COUNT(locks) + 1, 0, fcntls[i]);
    for (int i = 0; i < COUNT(locks); i++) step(EQUAL, COUNT(locks) - i, 0, locks[i]);
    step(RETURN, 0, 0, VERDICT_ERROR | EINVAL);
    step(RETURN, 0, 0, VERDICT_ERROR);
    step(RETURN, 0, 0, VERDICT_ALLOW);
}

static void refuse_namespaces(void) {
    step(EQUAL, 0, 4, SYS_clone);
    step(LOAD, 0, 0, AT_LOW(0));
    step(ANY_BIT, 0, 1, 0x7e020080);
    step(RETURN, 0, 0, VERDICT_ERROR | EPERM);
    step(RETURN, 0, 0, VERDICT_ALLOW);
}

/* A process sets its own limits alone. To set that of core dumps, which limits.c explains, succeeds and does nothing. */
static void filter_limits(void) {
    step(EQUAL, 0, 4, SYS_setrlimit);
    step(LOAD, 0, 0, AT_LOW(0));
    step(EQUAL, 0, 1, RLIMIT_CORE);
    step(RETURN, 0, 0, VERDICT_ERROR);
    step(RETURN, 0, 0, VERDICT_ALLOW);
    step(EQUAL, 0, 11, SYS_prlimit64);
    step(LOAD, 0, 0, AT_LOW(0));
    step(EQUAL, 1, 0, 0);
    step(RETURN, 0, 0, VERDICT_ERROR | EPERM);
    step(LOAD, 0, 0, AT_LOW(1));
    step(EQUAL, 0, 5, RLIMIT_CORE);
    step(LOAD, 0, 0, AT_LOW(2)); /* the new limit; without one it is read */
    step(EQUAL, 0, 2, 0);
    step(LOAD, 0, 0, AT_HIGH(2));
    step(EQUAL, 1, 0, 0);
    step(RETURN, 0, 0, VERDICT_ERROR);
    step(RETURN, 0, 0, VERDICT_ALLOW);
}

static void filter_arguments(void) {
    step_argument(SYS_ioctl, 1, ioctls, COUNT(ioctls), VERDICT_ERROR | ENOTTY);
    filter_fcntl();
    refuse_namespaces();
    step_argument(SYS_socket, 0, families, COUNT(families), VERDICT_ERROR | EAFNOSUPPORT);
    step_argument(SYS_socketpair, 0, families, COUNT(families), VERDICT_ERROR | EAFNOSUPPORT);
    step_argument(SYS_preadv2, 5, transfers, COUNT(transfers), VERDICT_ERROR | EOPNOTSUPP);
    step_argument(SYS_pwritev2, 5, transfers, COUNT(transfers), VERDICT_ERROR | EOPNOTSUPP);
    step_argument(SYS_prctl, 0, prctls, COUNT(prctls), VERDICT_ERROR | EINVAL);
    step_argument(SYS_personality, 0, personalities, COUNT(personalities), VERDICT_ERROR | EPERM);
    filter_limits();
}

/*
 * A core is chosen by this program alone: the length that it gives is a secret. Gives 0 where there is no chance to be
 * had.
 */
static int hide_pin(void) {
    if (getentropy(&pin_key, sizeof pin_key)) return 0;
    pin_key |= 1u << 31;
    step(EQUAL, 0, 6, SYS_sched_setaffinity);
    step(LOAD, 0, 0, AT_LOW(1));
    step(EQUAL, 0, 3, (uint32_t)pin_key);
    step(LOAD, 0, 0, AT_HIGH(1));
    step(EQUAL, 0, 1, pin_key >> 32);
    step(RETURN, 0, 0, VERDICT_ALLOW);
    step(RETURN, 0, 0, VERDICT_ERROR);
    return 1;
}

/* All others, by their numbers in their order, as runs that come to the same; x32's are above all. */
static void filter_numbers(void) {
    static const uint32_t verdicts[] = {[MISSING] = VERDICT_ERROR | ENOSYS,
                                        [PASS] = VERDICT_ALLOW,
                                        [REFUSE] = VERDICT_ERROR | EPERM,
                                        [DONE] = VERDICT_ERROR,
                                        [UNSUPPORTED] = VERDICT_ERROR | EOPNOTSUPP};
    static uint8_t table[CALLS];
    for (int i = 0; i < COUNT(passed); i++) table[passed[i]] = PASS;
    for (int i = 0; i < COUNT(refused); i++) table[refused[i]] = REFUSE;
    for (int i = 0; i < COUNT(ignored); i++) table[ignored[i]] = DONE;
    for (int i = 0; i < COUNT(unsupported); i++) table[unsupported[i]] = UNSUPPORTED;
    for (int from = 0, i = 1; i <= CALLS; i++) {
        if (i < CALLS && table[i] == table[from]) continue;
        step(ABOVE, 1, 0, i - 1);
        step(RETURN, 0, 0, verdicts[table[from]]);
        from = i;
    }
    step(RETURN, 0, 0, VERDICT_ERROR | ENOSYS);
}

int restrict_calls(int alike) {
    step(LOAD, 0, 0, AT_ARCHITECTURE);
    step(EQUAL, 1, 0, ARCHITECTURE);
    step(RETURN, 0, 0, VERDICT_KILL); /* another architecture's calls */
    step(LOAD, 0, 0, AT_CALL);
    if (alike) refuse_shared_memory();
    filter_arguments();
    if (!hide_pin()) return 0;
    filter_numbers();
    return !install_filter(0);
}
#else
int restrict_calls(int alike) { return (void)alike, 0; }
#endif
