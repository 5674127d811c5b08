/** A class of the gun duel, as its source. */
export interface Entry {
  readonly name: string
  readonly source: string
}

const head = (name: string, members: string): string => `#pragma once
#include "Player.hpp"
#include <cstdint>
class ${name} final : public Player {
public:
  explicit ${name}(size_t opponent = -1) : Player(opponent) {}
${members}};
`

/** What all of them do who do not think: shoot and hide by chance, loading while the other cannot shoot. */
const REFLEXES = (shoot: number, load: number): string => `
    const int mood = GetRandomInteger(99);
    if (getAmmo() >= 2 && mood < ${shoot}) return plasma();
    if (getAmmo() >= 1 && mood < ${shoot + 45}) return bullet();
    if (getAmmoOpponent() == 0 || mood > ${load}) return load();
    return getAmmoOpponent() >= 2 && mood % 2 ? thermal() : metal();
`

/** Learns over the tournament how often each opponent answers a state of both guns with each action, and shoots where it stands open. */
const learner = (n: number): Entry => ({
  name: `Learner${n}`,
  source: head(
    `Learner${n}`,
    `  Action fight() override {
    const unsigned *seen = memory()[getOpponent() % 64][state()];
    const unsigned open = seen[LOAD] + seen[THERMAL], all = open + seen[BULLET] + seen[PLASMA] + seen[METAL];
    if (getAmmo() >= 1 && all > 4 && open * ${n + 2} > all * ${(n % 3) + 1}) return bullet();${REFLEXES(20 + 3 * n, 70 - 2 * n)}  }
  void perceive(Action action) override {
    ++memory()[getOpponent() % 64][before][action];
    Player::perceive(action);
    before = state();
  }
private:
  typedef unsigned Seen[9][5];
  static Seen *memory() { static Seen all[64] = {}; return all; }
  int state() const { return std::min(std::max(getAmmo(), 0), 2) * 3 + std::min(std::max(getAmmoOpponent(), 0), 2); }
  int before = 0;
`,
  ).replace('#include <cstdint>', '#include <algorithm>'),
})

/** Wins and losses by opponent move how bold it is against that one. */
const brave = (n: number): Entry => ({
  name: `Brave${n}`,
  source: head(
    `Brave${n}`,
    `  Action fight() override {
    const int boldness = courage()[getOpponent() % 64] + ${n};
    if (getAmmo() >= 1 && GetRandomInteger(99) < boldness) return bullet();${REFLEXES(10 + n, 70 - n)}  }
  void declared(Result result) override {
    int &own = courage()[getOpponent() % 64];
    if (result == LOSS && own > 0) --own;
    if (result == WIN && own < 60) ++own;
  }
private:
  static int *courage() { static int all[64] = {}; return all; }
`,
  ),
})

/**
 * Plays so many duels to their end in its head before each action, against an opponent that does what it has done most. `rash`: of a hundred
 * actions that many are loads all the same.
 */
const thinker = (n: number, playouts: number, rash = 0): Entry => ({
  name: `Thinker${n}`,
  source: head(
    `Thinker${n}`,
    `  Action fight() override {
    const unsigned *seen = memory()[getOpponent() % 64];
    int best = 0, value[5] = {};
    for (int i = 0; i < ${playouts}; ++i) {
      const int first = i % 5;
      if (first == BULLET && getAmmo() < 1) continue;
      if (first == PLASMA && getAmmo() < 2) continue;
      value[first] += playout(first, seen);
    }
    if (getAmmo() < 1) value[BULLET] = -1000000;
    if (getAmmo() < 2) value[PLASMA] = -1000000;
    for (int action = 1; action < 5; ++action) if (value[action] > value[best]) best = action;
${rash === 0 ? '' : `    if (GetRandomInteger(99) < ${rash}) return load();\n`}    if (GetRandomInteger(99) < ${45 + n * 5}) {${REFLEXES(30, 60)}    }
    return best == LOAD ? load() : best == BULLET ? bullet() : best == PLASMA ? plasma() : best == METAL ? metal() : thermal();
  }
  void perceive(Action action) override {
    ++memory()[getOpponent() % 64][action];
    Player::perceive(action);
  }
private:
  typedef unsigned Seen[5];
  static Seen *memory() { static Seen all[64] = {}; return all; }
  std::uint32_t chance = ${n + 1};
  std::uint32_t draw() {
    chance ^= chance << 13;
    chance ^= chance >> 17;
    return chance ^= chance << 5;
  }
  int other(int ammo, const unsigned *seen) {
    unsigned all = 5;
    for (int action = 0; action < 5; ++action) all += seen[action];
    unsigned at = draw() % all;
    for (int action = 0; action < 5; ++action) {
      if (at <= seen[action]) return (action == BULLET && ammo < 1) || (action == PLASMA && ammo < 2) ? METAL : action;
      at -= seen[action] + 1;
    }
    return METAL;
  }
  static bool kills(int shot, int hit) {
    return shot == BULLET ? hit == LOAD || hit == THERMAL : shot == PLASMA && hit != PLASMA && hit != THERMAL;
  }
  int playout(int first, const unsigned *seen) {
    static const int rounds[5] = {1, -1, -2, 0, 0};
    static const unsigned even[5] = {2, 2, 1, 2, 1};
    int ammo = getAmmo(), theirs = getAmmoOpponent(), own = first;
    for (int turn = 0; turn < 12; ++turn, own = other(ammo, even)) {
      const int against = other(theirs, seen);
      if (kills(own, against)) return 1;
      if (kills(against, own)) return -1;
      ammo += rounds[own];
      theirs += rounds[against];
    }
    return 0;
  }
`,
  ),
})

/** Seventeen classes with static members: three think 300 to 700 µs a turn, the others below 5 µs. */
export const threeThinkers: readonly Entry[] = [
  ...[0, 1, 2, 3, 4, 5, 6].map(learner),
  ...[0, 1, 2, 3, 4, 5, 6].map((n) => brave(5 * n)),
  thinker(1, 3000),
  thinker(2, 4000),
  thinker(3, 5500),
]

/** Seventeen such classes: one thinks 500 µs a turn, the others below 5 µs. */
export const oneThinker: readonly Entry[] = [
  ...[0, 1, 2, 3, 4, 5, 6, 7].map(learner),
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((n) => brave(5 * n)),
  thinker(0, 8000, 20),
]
