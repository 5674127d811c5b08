// A duellist: agon makes an object of this class for each duel and asks it with fight() in every turn. As it stands it does by chance
// what its gun allows.
#pragma once

#include "Player.hpp"

class Bot final : public Player {
public:
  // The opponent's number is the same in all duels against it.
  explicit Bot(size_t opponent = -1) : Player(opponent) {}

  // Your next action: begin here.
  Action fight() override {
    switch (GetRandomInteger(4)) {
      case 0: return metal();
      case 1: return thermal();
      case 2: return getAmmo() >= 2 ? plasma() : load();
      case 3: return getAmmo() >= 1 ? bullet() : load();
      default: return load();
    }
  }

  // What the opponent has done in this turn. getHistoryOpponent() has all of its actions.
  void perceive(Action action) override { Player::perceive(action); }

  // The duel is over. Static members stay from one duel to the next, so what is to be remembered belongs there.
  void declared(Result) override {}
};
