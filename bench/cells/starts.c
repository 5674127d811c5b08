// `starts PROGRAM TIMES`: starts a program that answers lines, asks it once and ends it, so many times, one after the other; prints the
// milliseconds of each.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
    if (argc < 3) return 64;
    int times = atoi(argv[2]);
    struct timespec began, ended;
    clock_gettime(CLOCK_MONOTONIC, &began);
    for (int i = 0; i < times; i++) {
        int to[2], from[2];
        char text[64];
        if (pipe(to) || pipe(from)) return 1;
        pid_t child = vfork();
        if (child == 0) {
            dup2(to[0], 0);
            dup2(from[1], 1);
            for (int fd = 3; fd < 8; fd++) close(fd);
            execl(argv[1], argv[1], (char *)0);
            _exit(127);
        }
        close(to[0]);
        close(from[1]);
        if (write(to[1], "q 12345\n", 8) != 8 || read(from[0], text, sizeof text) != 2) return 1;
        close(to[1]);
        close(from[0]);
        if (waitpid(child, 0, 0) != child) return 1;
    }
    clock_gettime(CLOCK_MONOTONIC, &ended);
    printf("%.3f\n", ((ended.tv_sec - began.tv_sec) * 1e3 + (ended.tv_nsec - began.tv_nsec) / 1e6) / times);
    return 0;
}
