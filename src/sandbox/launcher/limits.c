/* limits: the resource limits, the core and the slice of this process, which all that it starts inherits. */
#include "launcher.h"
#include <inttypes.h>

uint64_t pin_key = sizeof(cpu_set_t);
int pin(pid_t thread, int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (core < 0 || i == core) CPU_SET(i, &set);
    return syscall(SYS_sched_setaffinity, thread, pin_key, &set) < 0;
}

/* What sched_getattr and sched_setattr take: older C libraries do not declare it. */
typedef struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t slice, deadline, period;
} scheduling;

/* Gives whether a thread has its share of a core in pieces, and reads of what length. */
static int read_scheduling(pid_t thread, scheduling *s) {
    *s = (scheduling){.size = sizeof *s};
    return syscall(SYS_sched_getattr, thread, s, sizeof *s, 0) >= 0 && s->policy == SCHED_OTHER;
}

void set_slice(pid_t thread, uint64_t ns) {
    scheduling s;
    if (!read_scheduling(thread, &s)) return;
    s.size = sizeof s;
    s.flags = 0;
    s.slice = ns;
    syscall(SYS_sched_setattr, thread, &s, 0);
}

void run_like(pid_t thread) {
    cpu_set_t set;
    scheduling own, other;
    if (!sched_getaffinity(thread, sizeof set, &set)) sched_setaffinity(0, sizeof set, &set);
    if (read_scheduling(0, &own) && read_scheduling(thread, &other) && own.slice != other.slice)
        set_slice(0, other.slice);
}

struct rlimit files_limit;

void set_limit(const char *name, uint64_t value) {
    static const struct { const char *name; int resource; } known[] = {{"data", RLIMIT_DATA},
                                                                        {"processes", RLIMIT_NPROC},
                                                                        {"files", RLIMIT_NOFILE},
                                                                        {"file", RLIMIT_FSIZE}};
    for (int i = 0; i < COUNT(known); i++) {
        struct rlimit old, limit = {value, value};
        if (strcmp(name, known[i].name)) continue;
        if (!getrlimit(known[i].resource, &old) && old.rlim_max < value) limit.rlim_cur = limit.rlim_max = old.rlim_max;
        if (known[i].resource == RLIMIT_NOFILE) {
            files_limit = limit;
            limit.rlim_cur = limit.rlim_max = old.rlim_max;
        }
        if (setrlimit(known[i].resource, &limit)) die("Cannot set the limit %s to %" PRIu64 ": %m", name, value);
        return;
    }
    die("There is no limit %s", name);
}

void set_usual_limits(void) {
    static const int none[] = {RLIMIT_MEMLOCK, RLIMIT_MSGQUEUE, RLIMIT_RTPRIO, RLIMIT_NICE};
    struct rlimit zero = {0, 0};
    for (int i = 0; i < COUNT(none); i++) setrlimit(none[i], &zero);
    /*
     * With 0 the kernel still starts core_pattern's program, on the host and as root, for each crash; with 1 it does
     * not.
     */
    struct rlimit no_dump = {1, 1};
    if (setrlimit(RLIMIT_CORE, &no_dump)) setrlimit(RLIMIT_CORE, &zero);
    /* Timers and queued signals, which the kernel counts by user. */
    struct rlimit pending = {4096, 4096}, old;
    if (!getrlimit(RLIMIT_SIGPENDING, &old) && old.rlim_max > pending.rlim_max) setrlimit(RLIMIT_SIGPENDING, &pending);
}
