// Magpie: collects every duel it fights, looks for the longest run of turns that has come before against this opponent, and answers
// what followed then. Without such a run it plays by the rounds.
#pragma once

#include "Player.hpp"

#include <algorithm>
#include <map>

class Magpie final : public Player {
public:
  explicit Magpie(size_t opponent = -1) : Player(opponent) {}

  Action fight() override {
    int counts[5] = {0, 0, 0, 0, 0};
    const std::string now = script(getHistory(), getHistoryOpponent());
    // Two characters a turn; a start of the duel is a run of its own kind, marked by the comma before it.
    for (size_t run = std::min<size_t>(now.size(), 9); run > 0 && !collect(now.substr(now.size() - run), counts);) {
      run = run > 2 ? run - 2 : 0;
    }
    const int *most = std::max_element(counts, counts + 5);
    if (*most == 0 || GetRandomInteger(7) == 0) return byRounds();
    return against(static_cast<Action>(most - counts));
  }

  void declared(Result) override {
    std::string &seen = collection()[getOpponent()];
    seen += script(getHistory(), getHistoryOpponent());
    if (seen.size() > 4000) seen.erase(0, seen.size() - 4000);
  }

private:
  static std::map<size_t, std::string> &collection() {
    static std::map<size_t, std::string> all;
    return all;
  }

  static std::string script(const std::vector<Action> &mine, const std::vector<Action> &theirs) {
    std::string text = ",";
    for (size_t turn = 0; turn < std::min(mine.size(), theirs.size()); ++turn) {
      text += ACTION[mine[turn]];
      text += ACTION[theirs[turn]];
    }
    return text;
  }

  // What the opponent did after each earlier coming of this run; false where there are fewer than two.
  bool collect(const std::string &run, int (&counts)[5]) const {
    const std::string &seen = collection()[getOpponent()];
    int found = 0;
    for (size_t at = seen.find(run); at != std::string::npos; at = seen.find(run, at + 1)) {
      const size_t next = at + run.size() + 1;
      // An even distance from the comma is a turn's start.
      if (next >= seen.size() || seen[next] == ',' || seen[next - 1] == ',') continue;
      if (run[0] != ',' && (at - seen.rfind(',', at)) % 2 == 0) continue;
      const char *const action = std::find(ACTION, ACTION + 5, seen[next]);
      ++counts[action - ACTION];
      ++found;
    }
    if (found < 2) std::fill(counts, counts + 5, 0);
    return found >= 2;
  }

  Action against(Action expected) {
    switch (expected) {
      case LOAD: return getAmmo() >= 2 ? plasma() : getAmmo() == 1 ? bullet() : load();
      case BULLET: return getAmmo() >= 2 ? plasma() : metal();
      case PLASMA: return thermal();
      case METAL: return getAmmo() >= 2 ? plasma() : load();
      default: return getAmmo() >= 1 ? bullet() : load();
    }
  }

  Action byRounds() {
    const int danger = std::min(getAmmoOpponent(), 2);
    if (getAmmo() == 0 && danger == 0) return load();
    if (getAmmo() >= 2 && GetRandomInteger(2) == 0) return plasma();
    if (danger == 0) return GetRandomInteger(1) ? load() : getAmmo() > 0 ? bullet() : load();
    if (danger == 1) return GetRandomInteger(3) ? metal() : load();
    return GetRandomInteger(1) ? metal() : thermal();
  }
};
