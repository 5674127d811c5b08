/* Sniper: waits for a shot that kills, counting on those who are already shooting at the victim, and takes the most powerful first. Until
   there is one it wears down whoever is healthiest, and ducks on one turn of three or so. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* More than any life. */
enum { SURE = 1000000000 };

typedef struct {
  int id, life, power;
  char last[16];
} Bot;

int main(int argc, char **argv) {
  if (argc == 1) return puts("ok") < 0;
  static Bot bots[1024];
  int own = atoi(argv[1]), count = 0, power = 0, target = -1, alive = 0;
  const char *seed = getenv("AGON_SEED");
  long best = -1;
  for (int i = 2; i < argc && count < 1024; i++, count++) {
    Bot *bot = &bots[count];
    sscanf(argv[i], "%d,%d,%d,%15s", &bot->id, &bot->life, &bot->power, bot->last);
    if (bot->id == own) power = bot->power;
  }
  for (int i = 0; i < count; i++) {
    if (bots[i].id == own || bots[i].life < 1) continue;
    alive++;
    int fire = power;
    for (int k = 0; k < count; k++)
      if (bots[k].id != own && bots[k].life > 0 && isdigit((unsigned char)bots[k].last[0]) && atoi(bots[k].last) == bots[i].id) fire += bots[k].power;
    int kills = fire >= bots[i].life;
    long merit = kills ? SURE + bots[i].power : bots[i].life;
    if (merit > best) best = merit, target = bots[i].id;
  }
  if (best < SURE && alive > 1 && seed && atoi(seed) % 3 == 0) puts("D");
  else printf("%d\n", target);
  return 0;
}
