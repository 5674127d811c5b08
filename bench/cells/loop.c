// The limit of a process per turn: a bare loop that starts a program, reads its pipe and waits for it. `loop CORE TURNS PROGRAM`
// prints the microseconds a turn.
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
    (void)argc;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(atoi(argv[1]), &set);
    sched_setaffinity(0, sizeof set, &set);
    int turns = atoi(argv[2]);
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (int i = 0; i < turns; i++) {
        int fds[2];
        char text[64];
        if (pipe(fds)) return 1;
        pid_t pid = vfork();
        if (!pid) {
            dup2(fds[1], 1);
            close(fds[0]);
            close(fds[1]);
            execl(argv[3], argv[3], "x", (char *)0);
            _exit(127);
        }
        close(fds[1]);
        if (read(fds[0], text, sizeof text) != 2) return 1;
        while (read(fds[0], text, sizeof text) > 0) {}
        close(fds[0]);
        int status;
        waitpid(pid, &status, 0);
        if (status) return 1;
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    printf("%.3f\n", ((to.tv_sec - from.tv_sec) * 1e6 + (to.tv_nsec - from.tv_nsec) / 1e3) / turns);
    return 0;
}
