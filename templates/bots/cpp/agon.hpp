// Reads agon's questions and writes the answers: a line of JSON each way. C++17 and nothing else. Debug with std::cerr: standard output
// belongs to the answers.
#ifndef AGON_HPP
#define AGON_HPP

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace agon {

// A value of JSON. What is not there, or of another kind, is null, 0, "" or empty.
class Value {
 public:
  bool is_null() const { return kind_ == Kind::null; }
  bool is_text() const { return kind_ == Kind::text; }
  bool is_list() const { return kind_ == Kind::list; }
  bool truth() const { return kind_ == Kind::truth && number_ != 0; }
  double number() const { return kind_ == Kind::number ? number_ : 0; }
  int integer() const { return static_cast<int>(number()); }
  const std::string& text() const { return text_; }
  // The items of a list, or none.
  const std::vector<Value>& items() const { return items_; }
  std::size_t size() const { return items_.size(); }
  const Value& operator[](std::size_t i) const { return i < items_.size() ? items_[i] : nothing(); }
  const Value& operator[](int i) const { return (*this)[static_cast<std::size_t>(i)]; }
  // A part of an object, by its key.
  const Value& operator[](const char* key) const {
    auto found = parts_.find(key);
    return found == parts_.end() ? nothing() : found->second;
  }
  bool has(const std::string& key) const { return parts_.count(key) > 0; }

  static Value parse(const std::string& json) {
    std::size_t at = 0;
    return read(json, at);
  }

 private:
  enum class Kind { null, truth, number, text, list, object };
  Kind kind_ = Kind::null;
  double number_ = 0;
  std::string text_;
  std::vector<Value> items_;
  std::map<std::string, Value> parts_;

  static const Value& nothing() {
    static const Value none;
    return none;
  }
  static char next(const std::string& json, std::size_t& at) {
    while (at < json.size() && (json[at] == ' ' || json[at] == '\t' || json[at] == '\r' || json[at] == '\n')) ++at;
    if (at >= json.size()) throw std::runtime_error("the JSON ends too early");
    return json[at];
  }
  static Value read(const std::string& json, std::size_t& at) {
    Value value;
    char c = next(json, at);
    if (c == '{' || c == '[') {
      bool object = c == '{';
      char close = object ? '}' : ']';
      value.kind_ = object ? Kind::object : Kind::list;
      ++at;
      while (next(json, at) != close) {
        if (json[at] == ',') {
          ++at;
          continue;
        }
        if (object) {
          std::string key = quoted(json, at);
          if (next(json, at) == ':') ++at;
          value.parts_[key] = read(json, at);
        } else {
          value.items_.push_back(read(json, at));
        }
      }
      ++at;
    } else if (c == '"') {
      value.kind_ = Kind::text;
      value.text_ = quoted(json, at);
    } else if (json.compare(at, 4, "true") == 0 || json.compare(at, 5, "false") == 0) {
      value.kind_ = Kind::truth;
      value.number_ = c == 't' ? 1 : 0;
      at += c == 't' ? 4 : 5;
    } else if (json.compare(at, 4, "null") == 0) {
      at += 4;
    } else {
      const char* from = json.c_str() + at;
      char* end = nullptr;
      value.kind_ = Kind::number;
      value.number_ = std::strtod(from, &end);
      if (end == from) throw std::runtime_error("this is no JSON: " + json.substr(at, 20));
      at += static_cast<std::size_t>(end - from);
    }
    return value;
  }
  // Reads a text from its quote to the one that ends it.
  static std::string quoted(const std::string& json, std::size_t& at) {
    std::string text;
    next(json, at);
    for (++at; at < json.size() && json[at] != '"'; ++at) {
      if (json[at] != '\\') {
        text += json[at];
        continue;
      }
      char c = json[++at];
      if (c == 'u') {
        unsigned code = hex(json, at);
        if (code >= 0xd800 && code < 0xdc00 && json.compare(at + 1, 2, "\\u") == 0) {
          at += 2;
          code = 0x10000 + ((code - 0xd800) << 10) + (hex(json, at) - 0xdc00);
        }
        append(text, code);
      } else {
        text += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == 'b' ? '\b' : c == 'f' ? '\f' : c;
      }
    }
    ++at;
    return text;
  }
  static unsigned hex(const std::string& json, std::size_t& at) {
    unsigned code = static_cast<unsigned>(std::stoul(json.substr(at + 1, 4), nullptr, 16));
    at += 4;
    return code;
  }
  static void append(std::string& text, unsigned code) {
    if (code < 0x80) {
      text += static_cast<char>(code);
      return;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    text += static_cast<char>((0xff00 >> (more + 1) & 0xff) | code >> 6 * more);
    while (more-- > 0) text += static_cast<char>(0x80 | (code >> 6 * more & 0x3f));
  }
};

// A text as it is written in JSON.
inline std::string quote(const std::string& text) {
  std::string json = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      json += code;
    } else {
      json += c;
    }
  }
  return json + '"';
}

// What was told at the beginning of the match: "seat" (your own, from 0), "seats" (how many), "options" and "view".
inline Value& start() {
  static Value told;
  return told;
}

// A whole number from 0 to n - 1: your own chance. A bot that takes its chance from nothing else plays the same again.
inline std::size_t below(std::size_t n) {
  static std::mt19937 chance(std::getenv("AGON_SEED") ? static_cast<unsigned>(std::atol(std::getenv("AGON_SEED"))) : 1u);
  return chance() % n;
}

// Answers each question with choose(view, legal), until there are no more.
template <class Choose>
void play(Choose choose) {
  for (std::string line; std::getline(std::cin, line);) {
    Value message = Value::parse(line);
    if (message["type"].text() == "start") start() = message;
    if (message["type"].text() != "ask") continue;
    std::vector<std::string> legal;
    for (const Value& action : message["legal"].items()) legal.push_back(action.text());
    // If legal is a shape, agon sends one example.
    if (legal.empty()) legal.push_back(message["example"].text());
    // The question's number shows which one is answered. Without endl the answer would stay in the program's own buffer.
    std::cout << "{\"action\":" << quote(choose(message["view"], legal)) << ",\"n\":" << message["n"].integer() << "}" << std::endl;
  }
}

}  // namespace agon

#endif
