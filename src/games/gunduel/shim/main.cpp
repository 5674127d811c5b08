// Makes a class that inherits Player a program of the wire `class`: it reads lines and calls the class (RULES.md, 19 to 21).
//
//   I<opponent> <rounds>  a duel begins: a fresh object           (J: the same, with the opponent's books left to perceive)
//   F                     fight(): the action is answered
//   P<theirs><mine>       perceive(theirs); mine is the own action as the referee received it
//   R<0, 1 or 2>          declared(DRAW, WIN or LOSS); the object is destroyed
//
// Compiled with AGON_HEADER, the entry's header in quotes, and AGON_CLASS, its class.

#include "Player.hpp"

// In 2017 all entries were compiled in one piece, so an entry may lack an include that another one had.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <unordered_map>

#include AGON_HEADER

#include <fcntl.h>
#include <unistd.h>

const char Player::ACTION[5] = {'0', '1', '2', '-', '='};

std::string toActionString(const std::vector<Player::Action> &actions) {
  std::string text;
  for (Player::Action action : actions) text += Player::ACTION[action];
  return text;
}

// The range is cut to a multiple of what is wanted, so that no number is likelier than another; the standard library's own
// distributions may differ from one compiler to the next.
int Player::GetRandomInteger(int max) {
  static std::mt19937 generator([] {
    const char *seed = std::getenv("AGON_SEED");
    return static_cast<std::uint32_t>(seed ? std::strtoul(seed, nullptr, 10) : 0);
  }());
  if (max <= 0) return 0;
  const std::uint64_t wanted = static_cast<std::uint64_t>(max) + 1;
  const std::uint64_t limit = (std::uint64_t(1) << 32) / wanted * wanted;
  for (;;) {
    const std::uint64_t drawn = generator();
    if (drawn < limit) return static_cast<int>(drawn % wanted);
  }
}

namespace {
int questions = 0;
int answers = 1;

// The pipes are the referee's alone: what an entry prints goes to standard error, and what it reads is empty. This runs before the
// constructors of the entry's static objects, which may print too.
__attribute__((constructor(101))) void guardPipes() {
  questions = dup(0);
  answers = dup(1);
  fcntl(questions, F_SETFD, FD_CLOEXEC);
  fcntl(answers, F_SETFD, FD_CLOEXEC);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, 0);
  close(nothing);
  dup2(2, 1);
}

// The action of a character; the referee sends no other.
Player::Action actionOf(char character) {
  const void *found = std::memchr(Player::ACTION, character, sizeof Player::ACTION);
  if (!found) std::exit(64);
  return static_cast<Player::Action>(static_cast<const char *>(found) - Player::ACTION);
}
} // namespace

namespace agon {
// One duel: the object and the books as the referee has them.
class Referee {
public:
  Referee(std::size_t opponent, int rounds, bool keepsOther)
      : player_(new AGON_CLASS(opponent)), keepsOther_(keepsOther) {
    own_.ammo = other_.ammo = rounds;
    player_->opponent_ = opponent;
    player_->other_ = other_;
    set();
  }

  // The action's character, or '?' for a returned value that is no action.
  char ask() {
    set();
    const int action = player_->fight();
    return action >= 0 && action < 5 ? Player::ACTION[action] : '?';
  }

  void tell(Player::Action theirs, Player::Action mine) {
    own_.note(mine);
    set();
    player_->perceive(theirs);
    other_.note(theirs);
    set();
  }

  void close(Player::Result result) {
    set();
    player_->declared(result);
  }

private:
  // Whatever load() and its like noted, and whether perceive kept its books or not, these are the books.
  void set() {
    player_->own_ = own_;
    if (keepsOther_) player_->other_ = other_;
  }

  std::unique_ptr<Player> player_;
  Player::RefereeBooks own_;
  Player::RefereeBooks other_;
  const bool keepsOther_;
};
} // namespace agon

int main() {
  std::unique_ptr<agon::Referee> duel;
  FILE *in = fdopen(questions, "r");
  char line[256];
  while (std::fgets(line, sizeof line, in)) {
    const char kind = line[0];
    if (kind == 'I' || kind == 'J') {
      char *rest = nullptr;
      const std::size_t opponent = std::strtoul(line + 1, &rest, 10);
      duel.reset();
      duel.reset(new agon::Referee(opponent, std::atoi(rest), kind == 'I'));
    } else if (duel && kind == 'F') {
      const char answer[2] = {duel->ask(), '\n'};
      if (write(answers, answer, sizeof answer) != sizeof answer) return 1;
    } else if (duel && kind == 'P') {
      duel->tell(actionOf(line[1]), actionOf(line[2]));
    } else if (duel && kind == 'R') {
      duel->close(static_cast<Player::Result>(line[1] - '0'));
      duel.reset();
    }
  }
  return 0;
}
