// What an entry of the gun duel inherits: the interface of the 2017 contest, with books that the referee keeps (RULES.md, 19 to 21).
// The name of the guard is the contest's, so that an entry which brings the old header along still gets this one.
#ifndef __PLAYER_HPP__
#define __PLAYER_HPP__

// Entries rely on reaching these through this header.
#include <chrono>
#include <cstddef>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace agon {
class Referee;
}

class Player {
public:
  enum Action { LOAD, BULLET, PLASMA, METAL, THERMAL };
  enum Result { DRAW, WIN, LOSS };

  // The action's characters: 0 1 2 - =
  static const char ACTION[5];

  explicit Player(std::size_t opponent = static_cast<std::size_t>(-1)) : opponent_(opponent) {}
  virtual ~Player() {}

  // The next action. What is returned counts, not what load() and its like have noted.
  virtual Action fight() = 0;
  // Called after each turn with what the opponent did.
  virtual void perceive(Action action) { other_.note(action); }
  // Called once, at the end of the duel.
  virtual void declared(Result) {}

  int getAmmo() const { return own_.ammo; }
  // One's own actions so far: in fight() the turn's number from 0, in perceive() one more.
  int getTurn() const { return static_cast<int>(own_.history.size()); }
  const std::vector<Action> &getHistory() const { return own_.history; }
  const std::vector<Action> &getHistoryOpponent() const { return other_.history; }

  // A whole number from 0 to max, both included, each equally likely. It depends on AGON_SEED and nothing else.
  static int GetRandomInteger(int max = std::numeric_limits<int>::max());

protected:
  Action load() { return own_.note(LOAD); }
  Action bullet() { return own_.note(BULLET); }
  Action plasma() { return own_.note(PLASMA); }
  Action metal() { return own_.note(METAL); }
  Action thermal() { return own_.note(THERMAL); }

  std::size_t getOpponent() const { return opponent_; }
  int getAmmoOpponent() const { return other_.ammo; }

private:
  friend class agon::Referee;

  // What is known of one side.
  struct RefereeBooks {
    int ammo = 0;
    std::vector<Action> history;

    Action note(Action action) {
      static const int rounds[5] = {1, -1, -2, 0, 0};
      ammo += rounds[action];
      history.push_back(action);
      return action;
    }
  };

  std::size_t opponent_;
  RefereeBooks own_;
  RefereeBooks other_;
};

// The actions as their characters.
std::string toActionString(const std::vector<Player::Action> &actions);

#endif
