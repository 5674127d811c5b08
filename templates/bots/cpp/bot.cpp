// A bot for __TITLE__. README.md has the rules, and all that a bot is sent.
#include "agon.hpp"

// Called for each of your moves: returns one of the texts in legal. What you may know, such as view["…"].number():
//   __FIELDS__
std::string choose(const agon::Value& view, const std::vector<std::string>& legal) {
  (void)view;
  // A first idea: the first move that is legal. legal[agon::below(legal.size())] is any of them; agon::below is seeded,
  // so that matches can be played again.
  return legal[0];
}

int main() {
  agon::play(choose);
}
