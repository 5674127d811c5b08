/* program: starts a program, quickly: a clone that borrows this small process's memory until the exec. */
#define _GNU_SOURCE
#include "program.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base.h"
#include "family.h"
#include "limits.h"

#define CLONE_PIDFD_FLAG 0x1000 /* CLONE_PIDFD, which older headers lack */

int nothing = -1;

/* Runs on a stack of its own, which no sanitizer knows, in this process's memory, which stands still until the exec. */
__attribute__((no_sanitize_address)) static int start_child(void *with) {
    start *s = with;
    setsid();
    if (files_limit.rlim_cur) setrlimit(RLIMIT_NOFILE, &files_limit);
    if (!alone) prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (dup2(s->in, 0) >= 0 && dup2(s->out, 1) >= 0 && dup2(s->err, 2) >= 0)
        execve(s->r->argv[0], s->r->argv, s->r->env);
    if (errno == ENOEXEC) { /* a script without an interpreter's line: the shell's, as everywhere */
        s->r->argv[-1] = "/bin/sh";
        execve("/bin/sh", s->r->argv - 1, s->r->env);
    }
    s->failed = errno;
    _exit(127);
}

static char child_stack[65536] __attribute__((aligned(64)));

static int willing = -1; /* this process's own oom_score_adj, or -1: it cannot be set */
static char unwilling[16];

void open_willing(void) {
    willing = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
    if (willing < 0) return;
    willing = high(willing);
    ssize_t n = read_again(willing, unwilling, sizeof unwilling);
    if (n > 0 && pwrite(willing, "1000", 4, 0) == 4 && pwrite(willing, unwilling, n, 0) == n) return;
    close(willing);
    willing = -1;
}
static void be_willing(int most) {
    const char *text = most ? "1000" : unwilling;
    if (willing >= 0 && pwrite(willing, text, strlen(text), 0) < 0) willing = -1;
}

pid_t launch(start *s, int *pidfd) {
    static char here[4096]; /* this process's own folder, which its children begin in */
    s->failed = 0;
    *pidfd = -1;
    if (strcmp(here, s->r->folder)) {
        if (chdir(s->r->folder)) return 0;
        snprintf(here, sizeof here, "%s", s->r->folder);
    }
    be_willing(1);
    int flags = CLONE_VM | CLONE_VFORK | CLONE_PIDFD_FLAG | SIGCHLD;
    pid_t pid = clone(start_child, child_stack + sizeof child_stack, flags, s, pidfd);
    int error = errno;
    be_willing(0);
    if (pid > 0 && !s->failed) return pid;
    if (pid > 0) error = s->failed;
    if (pid > 0) {
        waitpid(pid, 0, __WALL);
        close(*pidfd);
    }
    errno = error;
    return 0;
}
