// What a whole contest of the gun duel is measured against: the same classes in one program, called by virtual methods, a fresh object
// a duel, static members kept, last standing, the duels of a round in random order. ENTRIES is a header that includes all classes and
// defines MAKERS, a list of functions that make one. Usage: linked DUELS ROUNDS…, by entry the rounds that it plays: as many as in the
// contest that is measured, so that both play the same pairs, so many duels a round. Prints the number of all duels, of turns, and the
// seconds of wall time.
#include "Player.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

#include ENTRIES

const char Player::ACTION[5] = {'0', '1', '2', '-', '='};

int Player::GetRandomInteger(int max) {
  static std::mt19937 generator(20170201);
  return static_cast<int>(generator() % (static_cast<std::uint64_t>(max) + 1));
}

namespace agon {
class Referee {
public:
  // One duel; adds its turns.
  static void duel(Player &one, Player &two, long long &turns) {
    for (int turn = 1; turn <= 100; ++turn, ++turns) {
      const Player::Action a = one.fight(), b = two.fight();
      const bool burstA = one.getAmmo() < 0, burstB = two.getAmmo() < 0;
      const bool lostA = burstA || (!burstB && kills(b, a)), lostB = burstB || (!burstA && kills(a, b));
      one.perceive(b);
      two.perceive(a);
      if (!lostA && !lostB) continue;
      one.declared(lostA == lostB ? Player::DRAW : lostA ? Player::LOSS : Player::WIN);
      two.declared(lostA == lostB ? Player::DRAW : lostA ? Player::WIN : Player::LOSS);
      ++turns;
      return;
    }
    one.declared(Player::DRAW);
    two.declared(Player::DRAW);
  }

private:
  static bool kills(Player::Action shot, Player::Action other) {
    if (shot == Player::BULLET) return other == Player::LOAD || other == Player::THERMAL;
    return shot == Player::PLASMA && other != Player::PLASMA && other != Player::THERMAL;
  }
};
} // namespace agon

int main(int, char **argv) {
  const int repetitions = std::atoi(argv[1]);
  const std::size_t entries = sizeof MAKERS / sizeof *MAKERS;
  std::mt19937 lots(1);
  long long played = 0, turns = 0;
  const auto began = std::chrono::steady_clock::now();
  for (int round = 1;; ++round) {
    std::vector<std::size_t> alive;
    for (std::size_t entry = 0; entry < entries; ++entry)
      if (std::atoi(argv[2 + entry]) >= round) alive.push_back(entry);
    if (alive.empty()) break;
    std::vector<std::pair<std::size_t, std::size_t>> duels;
    for (std::size_t a = 0; a < alive.size(); ++a)
      for (std::size_t b = a + 1; b < alive.size(); ++b)
        for (int n = 0; n < repetitions; ++n)
          duels.push_back(n % 2 ? std::make_pair(alive[a], alive[b]) : std::make_pair(alive[b], alive[a]));
    std::shuffle(duels.begin(), duels.end(), lots);
    for (const auto &duel : duels) {
      const std::unique_ptr<Player> one(MAKERS[duel.first](duel.second)), two(MAKERS[duel.second](duel.first));
      agon::Referee::duel(*one, *two, turns);
      ++played;
    }
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  std::printf("%lld %lld %.6f\n", played, turns, took.count());
  return 0;
}
