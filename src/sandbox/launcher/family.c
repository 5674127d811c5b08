/* family: every process of the sandbox but this one: how each is found, signalled, killed and reaped; and who killed it. */
#define _GNU_SOURCE
#include "launcher.h"
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

pid_t keeper;
uint64_t password;

void send_signal(pid_t pid, int signal) { syscall(SYS_kill, (long)pid, (long)signal, password); }

/* The numbers of a process's children, as /proc has them. The caller frees them. */
static bytes read_children(pid_t parent) {
    char path[64];
    bytes list = {0};
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", parent, parent);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : 1;
    for (; n > 0; list.length += n > 0 ? n : 0) { /* a page at a time, however much is asked for */
        reserve(&list, 4097);
        n = read(fd, list.at + list.length, 4096);
    }
    if (fd >= 0) close(fd);
    if (list.at) list.at[list.length] = 0;
    return list;
}

void each_process(void (*call)(pid_t, void *), void *with) {
    DIR *dir = opendir("/proc");
    struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        pid_t pid = atoi(entry->d_name);
        if (pid > 1 && pid != keeper) call(pid, with);
    }
    if (dir) closedir(dir);
}

static void signal_one(pid_t pid, void *with) { send_signal(pid, *(int *)with); }
void signal_family(int signal) {
    /* A warm parent may stand still with them, and go on with them; it is not to end with them. */
    if (!keeper || signal != SIGKILL) send_signal(-1, signal);
    else each_process(signal_one, &signal);
}

static uint64_t in_ns(struct timeval t) { return t.tv_sec * SECOND + t.tv_usec * 1000ull; }

void add_cpu(uint64_t *cpu, const struct rusage *used) { *cpu += in_ns(used->ru_utime) + in_ns(used->ru_stime); }

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

int leaves_processes(pid_t pid, uint64_t *cpu) {
    bytes list = read_children(getpid());
    int leaves = 0, status;
    struct rusage r;
    for (char *at = (char *)list.at, *end; at && *at; at = end) {
        pid_t child = strtol(at, &end, 10);
        if (end == at) break;
        if (child == keeper || child == pid) continue;
        if (wait4(child, &status, WNOHANG | __WALL, &r) > 0) add_cpu(cpu, &r);
        else leaves = 1;
    }
    free(list.at);
    return leaves;
}

/* Whether the warm parent is all that is left, with no child. */
static int only_keeper(void) {
    char list[128], path[64], *end;
    size_t n = read_small("/proc/1/task/1/children", list, sizeof list);
    if (!n || strtol(list, &end, 10) != keeper || (*end != 0 && end[1] != 0)) return 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", keeper, keeper);
    return !read_small(path, list, sizeof list);
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
