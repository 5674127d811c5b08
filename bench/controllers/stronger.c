/* A bot of stronger: answers `ok` without arguments, strikes the strongest who is alive, and defends every third turn. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    long own, id, life, power, target = -1, most = -1, sum = 0;
    if (argc < 2) {
        puts("ok");
        return 0;
    }
    own = strtol(argv[1], 0, 10);
    for (int i = 2; i < argc; i++) {
        if (sscanf(argv[i], "%ld,%ld,%ld", &id, &life, &power) != 3) continue;
        sum += life;
        if (id == own || life <= 0 || power <= most) continue;
        most = power;
        target = id;
    }
    if (target < 0 || (sum + own) % 3 == 0) puts("D");
    else printf("%ld\n", target);
    return 0;
}
