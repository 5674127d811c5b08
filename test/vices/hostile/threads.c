// Starts threads without end.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *idle(void *nothing) {
    for (;;) pause();
    return nothing;
}

int main(void) {
    pthread_t thread;
    long count = 0;
    while (!pthread_create(&thread, 0, idle, 0) && count < 10000) count++;
    puts(count < 10000 ? "B" : "O");
    return 0;
}
