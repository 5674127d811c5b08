/* A bot for __TITLE__. README.md has the rules, and all that a bot is sent. */
#include "agon.h"

/*
 * Called for each of your moves: returns one of the texts in legal, of which there are count. What you may know, such as
 * agon_number(agon_get(view, "…")):
 *   __FIELDS__
 */
static const char *choose(const agon_value *view, const char *const *legal, size_t count) {
  (void)view;
  /* A first idea: any move that is legal. agon_below(n) is seeded, so that matches can be played again. */
  return legal[agon_below(count)];
}

int main(void) {
  return agon_play(choose);
}
