/* A bot of samurai: bows, guards, then strikes as the turn's number says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    size_t turn = argc > 5 ? strlen(argv[1]) : 0;
    int honour = argc > 2 ? atoi(argv[argc - 2]) : 1;
    putchar(honour < 2 ? 'B' : "BOGPIB"[turn % 6]);
    return 0;
}
