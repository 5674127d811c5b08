/* A bot for __TITLE__. README.md has the rules, and all that a bot is sent. */
#include "agon.h"

/*
 * Called for each of your moves: returns one of the texts in legal, of which there are count. What you may know, such as
 * agon_number(agon_get(view, "…")):
 *   __FIELDS__
 */
static const char *choose(const agon_value *view, const char *const *legal, size_t count) {
  (void)view;
  (void)count;
  /* A first idea: the first move that is legal. legal[agon_below(count)] is any of them; agon_below is seeded, so that
     matches can be played again. */
  return legal[0];
}

int main(void) {
  return agon_play(choose);
}
