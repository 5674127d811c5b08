// What the gun duel's arena is measured against: a plain engine that does what the contest's C++ one does. Players are called by
// virtual methods and keep both histories; chance is one mt19937; each duel's histories are kept. Usage: engines MODE DUELS, where
// MODE is `fresh` (players are made for each duel, as the contest does) or `reused`. Prints turns and CPU seconds.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <random>
#include <vector>

enum Action : char { LOAD, BULLET, PLASMA, METAL, THERMAL };

static std::mt19937 generator(20170201);
static int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(generator); }

class Player {
public:
  virtual ~Player() {}
  virtual Action fight() = 0;
  virtual void perceive(Action mine, Action theirs) {
    note(ammo, history, mine);
    note(ammoOpponent, historyOpponent, theirs);
  }
  void reset() {
    ammo = ammoOpponent = 0;
    history.clear();
    historyOpponent.clear();
  }
  const std::vector<Action> &getHistory() const { return history; }
  int getAmmo() const { return ammo; }

protected:
  // Any action that the rounds allow, each equally likely.
  Action any() const {
    static const Action order[5] = {LOAD, METAL, THERMAL, BULLET, PLASMA};
    return order[below(3 + (ammo < 2 ? ammo : 2))];
  }

private:
  static void note(int &ammo, std::vector<Action> &history, Action action) {
    static const int rounds[5] = {1, -1, -2, 0, 0};
    ammo += rounds[action];
    history.push_back(action);
  }
  int ammo = 0;
  int ammoOpponent = 0;
  std::vector<Action> history;
  std::vector<Action> historyOpponent;
};

// Classes apart, as the entries of a contest are.
class Ant final : public Player { Action fight() override { return any(); } };
class Bee final : public Player { Action fight() override { return any(); } };
class Cow final : public Player { Action fight() override { return any(); } };
class Dog final : public Player { Action fight() override { return any(); } };

static std::unique_ptr<Player> make(int which) {
  switch (which) {
    case 0: return std::unique_ptr<Player>(new Ant);
    case 1: return std::unique_ptr<Player>(new Bee);
    case 2: return std::unique_ptr<Player>(new Cow);
    default: return std::unique_ptr<Player>(new Dog);
  }
}

static bool kills(Action shot, Action other) {
  if (shot == BULLET) return other == LOAD || other == THERMAL;
  if (shot == PLASMA) return other == LOAD || other == BULLET || other == METAL;
  return false;
}

static bool bursts(int ammo, Action action) {
  return (action == BULLET && ammo < 1) || (action == PLASMA && ammo < 2);
}

static int wins[3];

// One duel; returns the number of turns.
static int duel(Player &one, Player &two) {
  for (int turn = 1; turn <= 100; ++turn) {
    const Action a = one.fight();
    const Action b = two.fight();
    bool lostA = bursts(one.getAmmo(), a);
    bool lostB = bursts(two.getAmmo(), b);
    if (!lostA && !lostB) {
      lostA = kills(b, a);
      lostB = kills(a, b);
    }
    one.perceive(a, b);
    two.perceive(b, a);
    if (lostA || lostB) {
      ++wins[lostA == lostB ? 0 : lostA ? 2 : 1];
      return turn;
    }
  }
  ++wins[0];
  return 100;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const bool fresh = std::strcmp(argv[1], "fresh") == 0;
  const int duels = std::atoi(argv[2]);
  std::unique_ptr<Player> field[8];
  for (int which = 0; which < 8; ++which) field[which] = make(which & 3);
  std::vector<Action> kept;
  kept.reserve(std::size_t(duels) * 16);
  const auto keep = [&kept](const Player &player) {
    kept.insert(kept.end(), player.getHistory().begin(), player.getHistory().end());
  };
  long long turns = 0;
  const std::clock_t began = std::clock();
  for (int n = 0; n < duels; ++n) {
    const int first = n & 3;
    const int second = 4 + ((n >> 2) & 3);
    if (fresh) {
      field[first] = make(first);
      field[second] = make(second & 3);
    } else {
      field[first]->reset();
      field[second]->reset();
    }
    turns += duel(*field[first], *field[second]);
    keep(*field[first]);
    keep(*field[second]);
  }
  const double seconds = double(std::clock() - began) / CLOCKS_PER_SEC;
  std::printf("%lld %.6f %zu %d\n", turns, seconds, kept.size(), wins[0] + wins[1] + wins[2]);
  return 0;
}
