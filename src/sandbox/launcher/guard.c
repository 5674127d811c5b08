/*
 * guard: runs a program and stays beside it until it ends, or until agon has: then nothing of it is left. bubblewrap
 * alone would leave its second process behind, waiting for the first, where agon is killed while a room is made.
 *
 * That agon has ended is seen at the pipe of its requests, whose other end only agon holds, and where the thread of
 * agon that started this process ends, by the kernel (SIGTERM). All other signals are blocked: a Ctrl-C is for agon to
 * hear.
 */
#define _GNU_SOURCE
#include "guard.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "base.h"

/*
 * Kills and reaps all that descends from this process: what loses its parent falls to it. What may not be killed, a
 * bubblewrap with another user's rights, is not waited for: it dies with its parent.
 */
static void kill_descendants(void) {
    char list[4096], path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    for (int round = 0; round < 5000; round++) {
        list[0] = 0;
        read_small(path, list, sizeof list);
        for (char *at = list, *end; *at; at = end) {
            pid_t pid = strtol(at, &end, 10);
            if (end == at) break;
            kill(pid, SIGKILL);
        }
        pid_t ended;
        while ((ended = waitpid(-1, 0, WNOHANG | __WALL)) > 0) {}
        if (ended < 0 && errno == ECHILD) return;
        struct timespec pause = {0, 1000000};
        nanosleep(&pause, 0);
    }
}

/* In the child: becomes the program, which dies with the guard. */
static _Noreturn void become(char **argv, pid_t parent) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(70);
    execv(argv[0], argv);
    die("Cannot start %s: %m", argv[0]);
}

/* Reaps what has ended. Gives whether the child has, and how. */
static int child_ended(pid_t child, int *code) {
    int status;
    pid_t ended;
    while ((ended = waitpid(-1, &status, WNOHANG | __WALL)) > 0) {
        if (ended != child) continue;
        *code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        return 1;
    }
    return 0;
}

/* Waits for the child's end, or agon's. Gives the child's exit code, or 0. */
static int wait_beside(pid_t child, int signals, int life) {
    for (int code;;) {
        struct pollfd p[2] = {{signals, POLLIN, 0}, {life, 0, 0}};
        struct signalfd_siginfo info;
        if (poll(p, 2, -1) < 0) continue;
        if (p[1].revents) return 0;
        if (read(signals, &info, sizeof info) == sizeof info && info.ssi_signo == SIGTERM) return 0;
        if (child_ended(child, &code)) return code;
    }
}

int guard(char **argv) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGCHLD);
    int ended = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK), life = fcntl(0, F_DUPFD_CLOEXEC, 64);
    if (ended < 0 || life < 0) die("Cannot listen for the end of a sandbox: %m");
    ended = high(ended);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* not before: a change of user clears it */
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    pid_t self = getpid(), child = fork();
    if (child < 0) die("Cannot start another process: %m");
    if (!child) become(argv, self);
    /* The frames' and the pipes' ends are the child's alone, so that each side sees the other's end. */
    for (int fd = 0; fd < 64; fd++) close(fd);
    int code = wait_beside(child, ended, life);
    kill_descendants();
    return code;
}
