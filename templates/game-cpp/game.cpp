// __TITLE__: players bid their cards for prizes that are turned over one by one.
#include <algorithm>

#include "agon_game.hpp"

using agon::Json;

static const char RULES[] =
    "# __TITLE__\n\n"
    "1. Each of the players has the cards 1 to __CARDS__, and sees those of everyone. The prizes are worth 1 to __CARDS__ points and lie\n"
    "   in a pile, shuffled and face down.\n"
    "2. Each turn the top prize is turned over. All players bid one of their cards at the same time; what was bid is gone.\n"
    "3. The highest bid takes the prize. Where several bid the highest, none of them does.\n"
    "4. Whoever gives no legal answer in time bids the lowest card.\n"
    "5. When the pile is empty, the most points win.\n";

// One match. seats, options and chance, the match's only chance, are there from the beginning.
class Game : public agon::Match {
 public:
  void setup() override {
    for (int card = 1; card <= options["cards"].integer(); ++card) prizes.push_back(card);
    hands.assign(seats, prizes);
    points.assign(seats, 0);
    for (std::size_t i = prizes.size(); i > 1; --i) std::swap(prizes[i - 1], prizes[chance.below(i)]);
  }

  // The seats that owe a move now: none exactly when there is an outcome.
  std::vector<int> due() const override {
    std::vector<int> all;
    for (std::size_t seat = 0; seat < seats && turn < prizes.size(); ++seat) all.push_back(static_cast<int>(seat));
    return all;
  }

  // What a seat may know: hidden information stops here. The prizes to come are hidden.
  Json view(std::size_t seat) const override {
    std::vector<Json> others;
    for (std::size_t i = 1; i < seats; ++i) {
      std::size_t other = (seat + i) % seats;
      others.push_back(Json::object({{"hand", hands[other]}, {"points", points[other]}}));
    }
    int prize = turn < prizes.size() ? prizes[turn] : 0;
    return Json::object({{"turn", static_cast<int>(turn)}, {"prize", prize}, {"hand", hands[seat]}, {"points", points[seat]}, {"others", others}});
  }

  // Texts, or a shape such as Json::object({{"number", Json::object({{"min", 0}, {"max", 100}, {"step", 0.01}})}}).
  Json legal(std::size_t seat) const override {
    std::vector<Json> actions;
    for (int card : hands[seat]) actions.push_back(std::to_string(card));
    return actions;
  }

  // By seat a text that is legal, null where it was not due, or an object with the fault, which the game prices.
  void play(const std::vector<agon::Value>& moves) override {
    std::vector<int> bids;
    for (std::size_t seat = 0; seat < seats; ++seat)
      bids.push_back(moves[seat].is_text() ? std::stoi(moves[seat].text()) : *std::min_element(hands[seat].begin(), hands[seat].end()));
    auto highest = std::max_element(bids.begin(), bids.end());
    if (std::count(bids.begin(), bids.end(), *highest) == 1) points[static_cast<std::size_t>(highest - bids.begin())] += prizes[turn];
    for (std::size_t seat = 0; seat < seats; ++seat) hands[seat].erase(std::find(hands[seat].begin(), hands[seat].end(), bids[seat]));
    ++turn;
  }

  Json outcome() const override {
    if (turn < prizes.size()) return Json();
    std::vector<int> place;
    for (int own : points) place.push_back(1 + static_cast<int>(std::count_if(points.begin(), points.end(), [own](int other) { return other > own; })));
    return Json::object({{"place", place}, {"reason", "all prizes taken"}, {"tally", Json::object({{"points", points}})}});
  }

  // The whole position as text, for replays.
  std::string board() const override {
    std::string text = turn < prizes.size() ? "a prize of " + std::to_string(prizes[turn]) : "all prizes are taken";
    for (std::size_t seat = 0; seat < seats; ++seat) {
      text += "\nseat " + std::to_string(seat) + ": " + std::to_string(points[seat]) + " points, cards";
      for (int card : hands[seat]) text += " " + std::to_string(card);
    }
    return text;
  }

 private:
  std::vector<int> prizes;
  std::size_t turn = 0;
  std::vector<std::vector<int>> hands;
  std::vector<int> points;
};

int main() {
  return agon::run<Game>(Json::object({
      {"id", "__NAME__"},
      {"version", 1},  // raise it whenever a match that was played could be judged differently
      {"seats", Json::object({{"min", 2}, {"max", 4}})},
      {"options", Json::object({{"cards", __CARDS__}})},
      {"title", "__TITLE__"},
      {"rules", RULES},
  }));
}
