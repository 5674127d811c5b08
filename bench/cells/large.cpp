// What the gun duel's classes in sandboxes are measured against: the same classes in one program, called by virtual methods, a fresh
// object a duel, as the contest ran them. ENTRIES is a header that includes them all and defines MAKERS, a list of functions that
// make one. Usage: large DUELS. Every pair of entries plays so many duels; prints the number of all duels, of turns, and seconds.
#include "Player.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>

#include ENTRIES

const char Player::ACTION[5] = {'0', '1', '2', '-', '='};

int Player::GetRandomInteger(int max) {
  static std::mt19937 generator(20170201);
  return static_cast<int>(generator() % (static_cast<std::uint64_t>(max) + 1));
}

namespace agon {
class Referee {
public:
  // One duel; gives its number of turns.
  static int duel(Player &one, Player &two) {
    for (int turn = 1; turn <= 100; ++turn) {
      const Player::Action a = one.fight(), b = two.fight();
      const bool burstA = bursts(one, a), burstB = bursts(two, b);
      const bool lostA = burstA || (!burstB && kills(b, a)), lostB = burstB || (!burstA && kills(a, b));
      one.perceive(b);
      two.perceive(a);
      if (!lostA && !lostB) continue;
      one.declared(lostA == lostB ? Player::DRAW : lostA ? Player::LOSS : Player::WIN);
      two.declared(lostA == lostB ? Player::DRAW : lostA ? Player::WIN : Player::LOSS);
      return turn;
    }
    one.declared(Player::DRAW);
    two.declared(Player::DRAW);
    return 100;
  }

private:
  // load() and its like have noted the action before it is looked at.
  static bool bursts(const Player &player, Player::Action) { return player.getAmmo() < 0; }
  static bool kills(Player::Action shot, Player::Action other) {
    if (shot == Player::BULLET) return other == Player::LOAD || other == Player::THERMAL;
    return shot == Player::PLASMA && other != Player::PLASMA && other != Player::THERMAL;
  }
};
} // namespace agon

int main(int, char **argv) {
  const int duels = std::atoi(argv[1]);
  const std::size_t entries = sizeof MAKERS / sizeof *MAKERS;
  long long played = 0, turns = 0;
  const std::clock_t began = std::clock();
  for (std::size_t a = 0; a < entries; ++a)
    for (std::size_t b = a + 1; b < entries; ++b)
      for (int n = 0; n < duels; ++n, ++played) {
        const std::unique_ptr<Player> one(MAKERS[a](b)), two(MAKERS[b](a));
        turns += agon::Referee::duel(*one, *two);
      }
  std::printf("%lld %lld %.6f\n", played, turns, double(std::clock() - began) / CLOCKS_PER_SEC);
  return 0;
}
