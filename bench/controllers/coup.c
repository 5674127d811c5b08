/* A bot of coup: a coup where it has the coins, else taxes; lets everything pass, and gives up its first card. */
#include <stdio.h>
#include <string.h>

static int rank(const char *move) { return strchr("Cp\n", move[0]) ? 3 : move[0] == 'T' ? 2 : 0; }

int main(int argc, char **argv) {
    if (argc < 6) return 1;
    const char *move = argv[5];
    for (int i = 6; i < argc; i++)
        if (rank(argv[i]) > rank(move)) move = argv[i];
    FILE *file = fopen(argv[1], "a");
    if (!file) return 1;
    fputs(move, file);
    return fclose(file) ? 1 : 0;
}
