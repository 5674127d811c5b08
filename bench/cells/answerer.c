// A bot that stays: a line out for each line in. `answerer CORE TURNS` is instead the limit: it starts itself and plays
// ping-pong with it over two pipes, both on one core, and prints the microseconds a round.
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int answer(void) {
    char text[4096];
    while (read(0, text, sizeof text) > 0)
        if (write(1, "A\n", 2) != 2) return 1;
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 3) return answer();
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(atoi(argv[1]), &set);
    sched_setaffinity(0, sizeof set, &set);
    int turns = atoi(argv[2]), to[2], from[2];
    if (pipe(to) || pipe(from)) return 1;
    if (!fork()) {
        dup2(to[0], 0);
        dup2(from[1], 1);
        close(to[1]);
        close(from[0]);
        execl(argv[0], argv[0], (char *)0);
        _exit(127);
    }
    struct timespec began, ended;
    char text[64];
    clock_gettime(CLOCK_MONOTONIC, &began);
    for (int i = 0; i < turns; i++)
        if (write(to[1], "q 12345\n", 8) != 8 || read(from[0], text, sizeof text) != 2) return 1;
    clock_gettime(CLOCK_MONOTONIC, &ended);
    printf("%.3f\n", ((ended.tv_sec - began.tv_sec) * 1e6 + (ended.tv_nsec - began.tv_nsec) / 1e3) / turns);
    return 0;
}
