// Metronome: loads a round, fires it, and so on, whoever stands opposite.
#pragma once

#include "Player.hpp"

class Metronome final : public Player {
public:
  explicit Metronome(size_t opponent = -1) : Player(opponent) {}

  Action fight() override { return getAmmo() == 0 ? load() : bullet(); }
};
