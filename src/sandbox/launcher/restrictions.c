/*
 * restrictions: where a bot's programs may write (Landlock), which system calls they have (calls.h), and which signals
 * they may send, or not unnoticed (seccomp filters).
 *
 * Numbers are written out because the kernel's headers are not everywhere.
 */
#include "launcher.h"
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
enum { LOAD = 0x20, EQUAL = 0x15, ABOVE = 0x25, KEEP_BITS = 0x54, RETURN = 0x06 };
/* A filter's verdict on a call. ERROR: with an errno in its lower bits. */
#define VERDICT_KILL 0x80000000u
#define VERDICT_ERROR 0x00050000u
#define VERDICT_NOTIFY 0x7fc00000u
#define VERDICT_ALLOW 0x7fff0000u
/* Where a call's number, its architecture, and the halves of its arguments lie. */
#define AT_CALL 0u
#define AT_ARCHITECTURE 4u
#define AT_ARGUMENT(i, half) (16u + 8u * (i) + 4u * (half))

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

static void begin_filter(void) {
    step(LOAD, 0, 0, AT_ARCHITECTURE);
    step(EQUAL, 1, 0, ARCHITECTURE);
    step(RETURN, 0, 0, VERDICT_KILL); /* another architecture's calls */
}

/* Installs what was put together, with seccomp's flags, and forgets it. Gives what seccomp gives. */
static int install_filter(unsigned flags) {
    struct { uint16_t length; void *steps; } filter = {length, steps};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    int made = syscall(SYS_seccomp, 1 /* SECCOMP_SET_MODE_FILTER */, flags, &filter);
    memset(steps, 0, sizeof *steps * length); /* what it holds of secrets */
    length = 0;
    return made;
}

/*
 * An argument's bits of `mask` are those of `value`; `isnt`: are not. The upper half is tested if `mask` has bits of
 * it.
 */
typedef struct { uint8_t argument; int isnt; uint64_t mask, value; } test;
#define IS(argument, value) {argument, 0, 0xffffffff, value}
#define ISNT(argument, value) {argument, 1, 0xffffffff, value}
#define IS_WHOLE(argument, value) {argument, 0, ~0ull, value}
#define ISNT_WHOLE(argument, value) {argument, 1, ~0ull, value}
#define BITS_ARE(argument, mask, value) {argument, 0, mask, value}
#define HAS_ANY(argument, mask) {argument, 1, mask, 0}

/* A call that passes all tests gets the verdict; for others the next rules decide. */
typedef struct { uint32_t call, verdict; test tests[3]; } rule;
#define ADD_RULES(rules) for (int i_ = 0; i_ < COUNT(rules); i_++) add_rule(&(rules)[i_])

enum { REST = 255 /* in place of how many steps are skipped: all to the end of the rule */ };

static void add_test(const test *t) {
    int halves = t->mask >> 32 ? 2 : 1;
    for (int half = 0; half < halves; half++) {
        int last = half == halves - 1;
        step(LOAD, 0, 0, AT_ARGUMENT(t->argument, half));
        step(KEEP_BITS, 0, 0, t->mask >> 32 * half);
        if (t->isnt) step(EQUAL, last ? REST : 0, last ? 0 : 3, t->value >> 32 * half);
        else step(EQUAL, 0, REST, t->value >> 32 * half);
    }
}

static void add_rule(const rule *r) {
    int from = length;
    step(LOAD, 0, 0, AT_CALL);
    step(EQUAL, 0, REST, r->call);
    for (int i = 0; i < COUNT(r->tests) && r->tests[i].mask; i++) add_test(&r->tests[i]);
    step(RETURN, 0, 0, r->verdict);
    for (int i = from; i < length; i++) {
        if (steps[i].yes == REST) steps[i].yes = length - 1 - i;
        if (steps[i].no == REST) steps[i].no = length - 1 - i;
    }
}

/* The same of a call whose argument is one of these. */
static void add_choice(uint32_t call, int argument, const uint32_t *values, int count, uint32_t verdict) {
    step(LOAD, 0, 0, AT_CALL);
    step(EQUAL, 0, count + 2, call);
    step(LOAD, 0, 0, AT_ARGUMENT(argument, 0));
    for (int i = 0; i < count; i++) step(EQUAL, count - 1 - i, i == count - 1, values[i]);
    step(RETURN, 0, 0, verdict);
}

static void filter_arguments(void) {
    static const rule before[] = {{SYS_fcntl, VERDICT_ERROR | EINVAL, {IS(1, F_SETFL), HAS_ANY(2, O_ASYNC)}},
                                  /* namespaces */
                                  {SYS_clone, VERDICT_ERROR | EPERM, {HAS_ANY(0, 0x7e020080)}},
                                  /* A process sets its own limits alone. */
                                  {SYS_prlimit64, VERDICT_ERROR | EPERM, {ISNT(0, 0)}},
                                  /* The limit of core dumps, which limits.c explains, is read; to set it does nothing. */
                                  {SYS_setrlimit, VERDICT_ERROR, {IS(0, RLIMIT_CORE)}},
                                  {SYS_prlimit64, VERDICT_ERROR, {IS(1, RLIMIT_CORE), ISNT_WHOLE(2, 0)}}};
    static const struct { uint16_t call, argument, count, other; const uint32_t *values; } allowed[] = {
        {SYS_ioctl, 1, COUNT(ioctls), ENOTTY, ioctls},
        {SYS_fcntl, 1, COUNT(fcntls), EINVAL, fcntls},
        {SYS_socket, 0, COUNT(families), EAFNOSUPPORT, families},
        {SYS_socketpair, 0, COUNT(families), EAFNOSUPPORT, families},
        {SYS_preadv2, 5, COUNT(transfers), EOPNOTSUPP, transfers},
        {SYS_pwritev2, 5, COUNT(transfers), EOPNOTSUPP, transfers},
        {SYS_prctl, 0, COUNT(prctls), EINVAL, prctls},
        {SYS_personality, 0, COUNT(personalities), EPERM, personalities},
    };
    ADD_RULES(before);
    add_choice(SYS_fcntl, 1, locks, COUNT(locks), VERDICT_ERROR);
    for (int i = 0; i < COUNT(allowed); i++) {
        add_choice(allowed[i].call, allowed[i].argument, allowed[i].values, allowed[i].count, VERDICT_ALLOW);
        add_rule(&(rule){.call = allowed[i].call, .verdict = VERDICT_ERROR | allowed[i].other});
    }
}

/* All others in the order of numbers, as runs with one verdict; x32's are above all. */
static void filter_numbers(void) {
    static const struct { const uint16_t *calls; int count; uint32_t verdict; } lists[] = {
        {passed, COUNT(passed), VERDICT_ALLOW},
        {refused, COUNT(refused), VERDICT_ERROR | EPERM},
        {ignored, COUNT(ignored), VERDICT_ERROR},
        {unsupported, COUNT(unsupported), VERDICT_ERROR | EOPNOTSUPP},
    };
    static uint32_t verdicts[CALLS]; /* 0: there is no such call */
    for (int l = 0; l < COUNT(lists); l++)
        for (int i = 0; i < lists[l].count; i++) verdicts[lists[l].calls[i]] = lists[l].verdict;
    step(LOAD, 0, 0, AT_CALL);
    for (int i = 0; i < CALLS; i++) {
        if (i + 1 < CALLS && verdicts[i + 1] == verdicts[i]) continue;
        step(ABOVE, 1, 0, i);
        step(RETURN, 0, 0, verdicts[i] ? verdicts[i] : VERDICT_ERROR | ENOSYS);
    }
    step(RETURN, 0, 0, VERDICT_ERROR | ENOSYS);
}

int restrict_calls(int alike) {
    /* Only this program chooses a core, by a secret length. */
    if (getentropy(&pin_key, sizeof pin_key)) return 0;
    pin_key |= 1u << 31;
    const rule pin_rule = {SYS_sched_setaffinity, VERDICT_ALLOW, {IS_WHOLE(1, pin_key)}};
    /* Shared memory (MAP_SHARED, MAP_SHARED_VALIDATE) without a file counts only for a cgroup, for no process. */
    static const rule shared[] = {{SYS_mmap, VERDICT_ERROR | ENOMEM, {HAS_ANY(3, 0x20), HAS_ANY(3, 1)}},
                                  {SYS_mmap, VERDICT_ALLOW, {{0}}}};
    begin_filter();
    if (alike) ADD_RULES(shared);
    filter_arguments();
    add_rule(&pin_rule);
    filter_numbers();
    return !install_filter(0);
}

enum { CPU_WINDOW = 15 /* RLIMIT_RTTIME */, NEW_LISTENER = 8, PIDFD_SEND_SIGNAL = 424 };

/*
 * Signals that this process alone may send, or has to learn of. The family sends one by kill and its kin, as a death
 * signal or a child's end signal, and by any timer, whose signal lies in memory. This process's own calls carry a
 * password in a register that kill does not read; no bot can read this process or its filters.
 */
static void add_senders(uint32_t signal, uint32_t verdict) {
    const rule senders[] = {{SYS_kill, verdict, {IS(1, signal), ISNT_WHOLE(2, password)}},
                            {SYS_tkill, verdict, {IS(1, signal)}},
                            {SYS_rt_sigqueueinfo, verdict, {IS(1, signal)}},
                            {PIDFD_SEND_SIGNAL, verdict, {IS(1, signal)}},
                            {SYS_tgkill, verdict, {IS(2, signal)}},
                            {SYS_rt_tgsigqueueinfo, verdict, {IS(2, signal)}},
                            {SYS_prctl, verdict, {IS(0, PR_SET_PDEATHSIG), IS(1, signal)}},
                            {SYS_clone, verdict, {BITS_ARE(0, 0xff, signal)}}};
    ADD_RULES(senders);
}

void notice_kills(void) {
    /* Timers, and new limits of processor time, past which the kernel kills; to read these is allowed. */
    static const rule later[] = {{SYS_timer_create, VERDICT_NOTIFY, {{0}}},
                                 {SYS_setrlimit, VERDICT_NOTIFY, {IS(0, RLIMIT_CPU)}},
                                 {SYS_setrlimit, VERDICT_NOTIFY, {IS(0, CPU_WINDOW)}},
                                 {SYS_prlimit64, VERDICT_NOTIFY, {IS(1, RLIMIT_CPU), ISNT_WHOLE(2, 0)}},
                                 {SYS_prlimit64, VERDICT_NOTIFY, {IS(1, CPU_WINDOW), ISNT_WHOLE(2, 0)}}};
    begin_filter();
    add_senders(SIGKILL, VERDICT_NOTIFY);
    ADD_RULES(later);
    step(RETURN, 0, 0, VERDICT_ALLOW);
    notices = install_filter(NEW_LISTENER);
    if (notices >= 0) notices = high(notices);
}

/*
 * No timers but those with a signal of their own (setitimer, alarm, timerfd), and no process group beside a session's:
 * the kernel continues a stopped one that is orphaned, by whatever process's end.
 */
int refuse_continues(void) {
    static const rule later[] = {{SYS_setpgid, VERDICT_ERROR | EPERM, {{0}}},
                                 {SYS_timer_create, VERDICT_ERROR | EAGAIN, {{0}}}};
    begin_filter();
    add_senders(SIGCONT, VERDICT_ERROR | EPERM);
    ADD_RULES(later);
    step(RETURN, 0, 0, VERDICT_ALLOW);
    return !install_filter(0);
}
#else
int restrict_calls(int alike) { return (void)alike, 0; }
void notice_kills(void) {}
int refuse_continues(void) { return 0; }
#endif
