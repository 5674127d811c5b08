/*
 * restrictions: what a bot's programs may do: where they write (Landlock), which system calls they have (calls.h), and which
 * signals they may send, or not unnoticed (seccomp filters).
 *
 * The kernel's own headers are not everywhere; the numbers that are written out here are its own.
 */
#define _GNU_SOURCE
#include "launcher.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "calls.h"

/* Landlock's numbers. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { EXECUTE = 1, WRITE_FILE = 2, READ_FILE = 4, READ_DIR = 8, TRUNCATE = 1 << 14 };
struct ruleset { uint64_t fs, net, scoped; };
struct __attribute__((packed)) beneath { uint64_t allowed; int32_t parent; };

static void allow(int rules, int parent, uint64_t what) {
    struct beneath rule = {what, parent};
    syscall(ADD_RULE, rules, 1, &rule, 0);
}
static void allow_path(int rules, const char *path, uint64_t what) {
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) return;
    allow(rules, fd, what);
    close(fd);
}

int restrict_files(int in, int out) {
    int version = syscall(CREATE_RULESET, 0, 0, 1);
    if (version < 1) return 0;
    uint64_t files = version >= 3 ? 0x7fff : version == 2 ? 0x3fff : 0x1fff;
    struct ruleset set = {files, 0, version >= 6 ? 3 : 0};
    int rules = syscall(CREATE_RULESET, &set, version >= 6 ? 24 : version >= 4 ? 16 : 8, 0);
    if (rules < 0) return 0;
    allow_path(rules, "/", EXECUTE | READ_FILE | READ_DIR);
    /* Not /dev/zero: mapped for writing it is memory that counts for no process. */
    static const char *const devices[] = {"/dev/null", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"};
    for (int i = 0; i < COUNT(devices); i++) allow_path(rules, devices[i], (WRITE_FILE | TRUNCATE) & files);
    for (int i = 0; i < private_count; i++) allow(rules, private_fds[i], files);
    if (state_folder) allow_path(rules, state_folder, files);
    if (in >= 0) allow(rules, in, READ_FILE);
    if (out >= 0) allow(rules, out, WRITE_FILE);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    int failed = syscall(RESTRICT_SELF, rules, 0);
    close(rules);
    return failed ? 0 : version;
}

/* Of another architecture agon knows no calls. */
#if defined __x86_64__
#define ARCHITECTURE 0xc000003eu
#elif defined __aarch64__
#define ARCHITECTURE 0xc00000b7u
#endif

#ifdef ARCHITECTURE
enum { LOAD = 0x20, EQUAL = 0x15, ABOVE = 0x25, ANY_BIT = 0x45, KEEP_BITS = 0x54, RETURN = 0x06 };
/* A filter's verdict on a call. ERROR: with an errno in its lower bits. */
#define VERDICT_KILL 0x80000000u
#define VERDICT_ERROR 0x00050000u
#define VERDICT_NOTIFY 0x7fc00000u
#define VERDICT_ALLOW 0x7fff0000u
/* Where a call's number, its architecture, and the halves of its arguments lie. */
#define AT_CALL 0u
#define AT_ARCHITECTURE 4u
#define AT_LOW(i) (16u + 8u * (i))
#define AT_HIGH(i) (20u + 8u * (i))

static struct { uint16_t code; uint8_t yes, no; uint32_t value; } steps[2048];
static int length;

/* Appends a step; `yes` and `no` are how many steps are skipped. Dies if there is no room for it. */
static void step(uint16_t code, uint8_t yes, uint8_t no, uint32_t value) {
    if (length == COUNT(steps)) die("A filter has more than %d steps", length);
    steps[length].code = code;
    steps[length].yes = yes;
    steps[length].no = no;
    steps[length++].value = value;
}

/*
 * If an argument of a call is one of these, allows it, else comes to `other`. The argument is the lower 32 bits. The
 * call's number is loaded before and, if it is another call, after it.
 */
static void step_argument(uint32_t call, int argument, const uint32_t *values, int count, uint32_t other) {
    step(EQUAL, 0, count + 3, call);
    step(LOAD, 0, 0, AT_LOW(argument));
    for (int i = 0; i < count; i++) step(EQUAL, count - i, 0, values[i]);
    step(RETURN, 0, 0, other);
    step(RETURN, 0, 0, VERDICT_ALLOW);
}

/* Has the kernel take what was put together, with seccomp's flags; what it was is forgotten. Gives what seccomp gives. */
static int install_filter(unsigned flags) {
    struct { uint16_t length; void *steps; } filter = {length, steps};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    int made = syscall(SYS_seccomp, 1 /* SECCOMP_SET_MODE_FILTER */, flags, &filter);
    memset(steps, 0, sizeof *steps * length); /* what it holds of secrets */
    length = 0;
    return made;
}

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

enum { CPU_WINDOW = 15 /* RLIMIT_RTTIME */, NEW_LISTENER = 8, PIDFD_SEND_SIGNAL = 424 };

/*
 * Signals that this process alone may send, or has to learn of. The family's calls that send one are kill and its kin with
 * that signal, a death signal or a signal of a child's end that is it, and a timer, whose signal lies in memory, so any.
 * This process's own calls carry a password in a register that kill does not read; no bot can read this process or its
 * filters. The call's number is loaded before each of these and, if it is another call, after it.
 */

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
int restrict_calls(int alike) { return (void)alike, 0; }
void notice_kills(void) {}
int refuse_continues(void) { return 0; }
#endif
