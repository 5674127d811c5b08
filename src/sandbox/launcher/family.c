/* family: all processes of the sandbox but this one: found, signalled, killed and reaped; and who killed them. */
#include "launcher.h"

pid_t keeper;
uint64_t password;

void send_signal(pid_t pid, int signal) { syscall(SYS_kill, (long)pid, (long)signal, password); }

int each_child(pid_t pid, void (*call)(pid_t, void *), void *with) {
    char path[64];
    bytes list = {0};
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    while (append_from(&list, fd)) {}
    close(fd);
    append(&list, "", 1);
    for (char *at = (char *)list.at, *end; *at; at = end) {
        pid_t child = strtol(at, &end, 10);
        if (end == at) break;
        call(child, with);
    }
    free(list.at);
    return 1;
}

static void each_number(const char *folder, pid_t except, void (*call)(pid_t, void *), void *with) {
    DIR *dir = opendir(folder);
    struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        pid_t number = atoi(entry->d_name);
        if (number > 1 && number != except) call(number, with);
    }
    if (dir) closedir(dir);
}
void each_process(void (*call)(pid_t, void *), void *with) { each_number("/proc", keeper, call, with); }
void each_task(pid_t pid, void (*call)(pid_t, void *), void *with) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    each_number(path, 0, call, with);
}

static void signal_one(pid_t pid, void *with) { send_signal(pid, *(int *)with); }
void signal_family(int signal) {
    /* A warm parent may stand still and go on with them, but not end with them. */
    if (!keeper || signal != SIGKILL) send_signal(-1, signal);
    else each_process(signal_one, &signal);
}

static uint64_t in_ns(struct timeval t) { return t.tv_sec * SECOND + t.tv_usec * 1000ull; }

static void add_cpu(uint64_t *cpu, const struct rusage *used) { *cpu += in_ns(used->ru_utime) + in_ns(used->ru_stime); }

int wait_for_end(pid_t pid, uint64_t *cpu) {
    int status = 0;
    struct rusage used = {0};
    while (wait4(pid, &status, __WALL, &used) < 0 && errno == EINTR) {}
    add_cpu(cpu, &used);
    return status;
}

/* Reaps what has ended. Gives whether children are left. */
static int reap(uint64_t *cpu) {
    struct rusage r;
    int status;
    pid_t pid;
    while ((pid = wait4(-1, &status, WNOHANG | __WALL, &r)) > 0) {
        add_cpu(cpu, &r);
        if (pid == keeper) keeper = 0;
    }
    return pid == 0;
}

/* What a process has left: `left` counts what runs, but it and the warm parent. */
typedef struct { pid_t pid; int left; uint64_t *cpu; } leavings;

static void see_child(pid_t child, void *with) {
    leavings *l = with;
    struct rusage used;
    if (child == keeper || child == l->pid) return;
    if (wait4(child, 0, WNOHANG | __WALL, &used) > 0) add_cpu(l->cpu, &used);
    else l->left++;
}
int leaves_processes(pid_t pid, uint64_t *cpu) {
    leavings l = {pid, 0, cpu};
    each_child(1, see_child, &l);
    return l.left > 0;
}

static void count_child(pid_t child, void *count) { *(int *)count += child != keeper; }
/* Whether the warm parent is all that is left, with no child. */
static int only_keeper(void) {
    int others = 0;
    return each_child(1, count_child, &others) && each_child(keeper, count_child, &others) && !others;
}

void sweep(uint64_t *cpu) {
    for (int round = 0; reap(cpu); round++) {
        if (keeper) {
            if (only_keeper()) return;
            send_signal(keeper, SIGKILL); /* it dies with the rest: it can be had again */
            keeper = 0;
        }
        signal_family(SIGKILL);
        struct timespec pause = {0, round < 20 ? 20000 : 1000000};
        nanosleep(&pause, 0);
    }
}

int notices = -1;
int family_kills;

/*
 * The kernel's own headers are not everywhere; these are its numbers: SECCOMP_IOCTL_NOTIF_RECV and _SEND (calls.h lets
 * them through).
 */
#define NOTICE_RECEIVE 0xc0502100ul
#define NOTICE_REPLY 0xc0182101ul

/* As the kernel has them: a call that waits, and what comes of it. */
struct notice {
    uint64_t id;
    uint32_t pid, flags;
    struct { int32_t call; uint32_t architecture; uint64_t at, words[6]; } data;
};
struct reply { uint64_t id; int64_t value; int32_t error; uint32_t flags; };

void heed(void) {
    struct notice n = {0};
    if (syscall(SYS_ioctl, notices, NOTICE_RECEIVE, &n)) return; /* who asked has gone */
    family_kills = 1;
    struct reply go_on = {.id = n.id, .flags = 1};
    syscall(SYS_ioctl, notices, NOTICE_REPLY, &go_on);
}

int wait_for(int fd, uint64_t ns) {
    for (uint64_t end = now() + ns, at; (at = now()) < end;) {
        struct pollfd p[2] = {{fd, POLLIN, 0}, {notices, POLLIN, 0}};
        struct timespec left = {(end - at) / SECOND, (end - at) % SECOND};
        if (ppoll(p, 2, &left, 0) <= 0) continue;
        if (p[1].revents) heed();
        if (p[0].revents) return 1;
    }
    return 0;
}

uint32_t killers(void) { return (family_kills ? NOTE_FAMILY : 0) | (notices >= 0 ? NOTE_KNOWN : 0); }
