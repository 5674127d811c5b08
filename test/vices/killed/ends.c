/* Ends itself by SIGKILL in the way that its first argument names, or waits to be killed. With "lines" it does so at a line of F. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int is(const char *route, const char *name) { return !strcmp(route, name); }

static void end_by(const char *route) {
    pid_t self = getpid();
    siginfo_t info = {.si_code = SI_QUEUE};
    struct rlimit second = {1, 1};
    if (is(route, "kill")) kill(self, SIGKILL);
    if (is(route, "kill with a third word")) syscall(SYS_kill, self, SIGKILL, 0x1234567812345678l);
    if (is(route, "kill the group")) kill(0, SIGKILL);
    if (is(route, "tkill")) syscall(SYS_tkill, self, SIGKILL);
    if (is(route, "tgkill")) syscall(SYS_tgkill, self, self, SIGKILL);
    if (is(route, "rt_sigqueueinfo")) syscall(SYS_rt_sigqueueinfo, self, SIGKILL, &info);
    if (is(route, "rt_tgsigqueueinfo")) syscall(SYS_rt_tgsigqueueinfo, self, self, SIGKILL, &info);
    if (is(route, "pidfd_send_signal")) syscall(424, syscall(434, self, 0), SIGKILL, 0, 0);
    if (is(route, "a child") && !fork()) {
        usleep(20000);
        kill(self, SIGKILL);
    }
    if (is(route, "setrlimit")) syscall(SYS_setrlimit, RLIMIT_CPU, &second);
    if (is(route, "prlimit64")) syscall(SYS_prlimit64, 0, RLIMIT_CPU, &second, 0);
    if (strstr(route, "limit"))
        for (;;) {}
    if (is(route, "timer_create")) {
        struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
        struct itimerspec soon = {.it_value = {0, 20000000}};
        timer_t timer;
        timer_create(CLOCK_MONOTONIC, &event, &timer);
        timer_settime(timer, 0, &soon, 0);
    }
    if (is(route, "the signal of a child's end") && !syscall(SYS_clone, SIGKILL, 0, 0, 0, 0)) _exit(0);
    if (is(route, "memory"))
        for (size_t size = 8 << 20;;) {
            char *more = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
            if (more != MAP_FAILED) memset(more, 1, size);
        }
    sleep(60);
}

int main(int argc, char **argv) {
    char line[4096];
    if (argc < 3) return 64;
    if (!is(argv[2], "lines")) end_by(argv[1]);
    while (fgets(line, sizeof line, stdin))
        if (*line == 'F') end_by(argv[1]);
}
