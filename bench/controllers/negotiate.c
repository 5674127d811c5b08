/* A bot of negotiate: courts the lords with whom it is known least. */
#include <stdio.h>

int main(void) {
    int turns, daimyo, lords, turn, number, least, known[64];
    char time;
    setvbuf(stdout, 0, _IOLBF, 0);
    puts("READY");
    if (scanf("%d %d %d", &turns, &daimyo, &lords) != 3 || lords > 64) return 1;
    for (int i = 0; i < lords; i++)
        if (scanf("%d", &number) != 1) return 1;
    while (scanf("%d %c", &turn, &time) == 2) {
        for (int i = 0; i < lords * daimyo; i++)
            if (scanf("%d", &number) != 1) return 1;
        for (int i = 0; i < lords; i++)
            if (scanf("%d", &known[i]) != 1) return 1;
        for (int i = 0; time == 'D' && i < lords; i++)
            if (scanf("%d", &number) != 1) return 1;
        for (int n = time == 'D' ? 5 : 2; n > 0; n--) {
            least = 0;
            for (int i = 1; i < lords; i++)
                if (known[i] < known[least]) least = i;
            known[least]++;
            printf(n > 1 ? "%d " : "%d\n", least);
        }
        if (turn == turns) return 0;
    }
    return 0;
}
