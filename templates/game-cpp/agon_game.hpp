// Reads agon's lines and writes the answers: a JSON object a line each way. C++17 and nothing else. Print anything else to std::cerr:
// standard output belongs to the answers.
#ifndef AGON_GAME_HPP
#define AGON_GAME_HPP

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "agon.hpp"

namespace agon {

// A value of JSON that is written: null, a text, a number, true or false, a list, an object.
class Json {
 public:
  Json() : text_("null") {}
  Json(const char* text) : text_(quote(text)) {}
  Json(const std::string& text) : text_(quote(text)) {}
  Json(int number) : text_(std::to_string(number)) {}
  Json(bool truth) : text_(truth ? "true" : "false") {}
  Json(double number) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.17g", number);
    text_ = digits;
  }
  template <class Item>
  Json(const std::vector<Item>& items) {
    for (const Item& item : items) text_ += (text_.empty() ? "" : ",") + Json(item).text_;
    text_ = "[" + text_ + "]";
  }
  static Json object(std::initializer_list<std::pair<const char*, Json>> parts) {
    Json json;
    json.text_.clear();
    for (const auto& part : parts) json.text_ += (json.text_.empty() ? "" : ",") + quote(part.first) + ":" + part.second.text_;
    json.text_ = "{" + json.text_ + "}";
    return json;
  }
  bool is_null() const { return text_ == "null"; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// A match's only chance: the same seed and the same moves lead to the same positions.
class Chance {
 public:
  explicit Chance(const std::string& seed = "") {
    std::seed_seq words(seed.begin(), seed.end());
    generator_.seed(words);
  }
  // A whole number from 0 to n - 1, each equally likely.
  std::size_t below(std::size_t n) {
    std::uint64_t limit = UINT64_MAX - UINT64_MAX % n;
    std::uint64_t drawn = generator_();
    while (drawn >= limit) drawn = generator_();
    return static_cast<std::size_t>(drawn % n);
  }

 private:
  std::mt19937_64 generator_;
};

class Match {
 public:
  std::size_t seats = 0;
  Value options;
  Chance chance;

  virtual ~Match() = default;
  virtual void setup() = 0;
  virtual std::vector<int> due() const = 0;
  virtual Json view(std::size_t seat) const = 0;
  virtual Json legal(std::size_t seat) const = 0;
  virtual void play(const std::vector<Value>& moves) = 0;
  virtual Json outcome() const = 0;
  virtual std::string board() const { return ""; }
};

inline std::string position(int number, const Match& match) {
  std::vector<int> due = match.due();
  std::string views, legal;
  for (std::size_t seat = 0; seat < match.seats; ++seat) {
    bool owes = false;
    for (int each : due) owes = owes || each == static_cast<int>(seat);
    views += (seat == 0 ? "" : ",") + match.view(seat).text();
    legal += (seat == 0 ? "" : ",") + (owes ? match.legal(seat) : Json()).text();
  }
  std::string answer = "{\"match\":" + std::to_string(number) + ",\"due\":" + Json(due).text() + ",\"views\":[" + views + "],\"legal\":[" + legal + "]";
  if (!match.board().empty()) answer += ",\"board\":" + quote(match.board());
  Json outcome = match.outcome();
  if (!outcome.is_null()) answer += ",\"outcome\":" + outcome.text();
  return answer + "}";
}

// Answers agon until there are no more lines. `told`: id, version, seats, options, and title, rules, scores, hidden, teams.
template <class Kind>
int run(const Json& told) {
  std::map<int, std::unique_ptr<Match>> matches;
  for (std::string line; std::getline(std::cin, line);) {
    Value message = Value::parse(line);
    const std::string& type = message["type"].text();
    int number = message["match"].integer();
    if (type == "end") {
      matches.erase(number);
      continue;
    }
    if (type == "describe") {
      std::cout << told.text() << std::endl;
      continue;
    }
    if (type == "setup") {
      matches[number] = std::make_unique<Kind>();
      Match& match = *matches[number];
      match.seats = static_cast<std::size_t>(message["seats"].integer());
      match.options = message["options"];
      match.chance = Chance(message["seed"].text());
      match.setup();
    } else {
      matches[number]->play(message["moves"].items());
    }
    // Without endl the answer would stay in the program's own buffer.
    std::cout << position(number, *matches[number]) << std::endl;
  }
  return 0;
}

}  // namespace agon

#endif
