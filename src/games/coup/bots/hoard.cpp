// Hoard: saves for one coup after the other. It takes what nobody can doubt, calls itself the Duke when others want aid and
// the Captain when they steal, and never challenges.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

static const std::string HELD = "~^*!$", GIVEN_UP = "_'<=0", TASTE = "$!*~^";

int main(int argc, char** argv) {
    if (argc < 6) return 2;
    const std::string path = argv[1];
    std::string cards = argv[4];
    const std::vector<std::string> legal(argv + 5, argv + argc);

    std::ifstream in(path);
    const std::string history((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    in.close();
    const std::string line = history.substr(history.rfind('\n') + 1);
    auto has = [&](char card) { return cards.find(card) != std::string::npos; };
    std::sort(cards.begin(), cards.end(), [](char a, char b) { return TASTE.find(a) < TASTE.find(b); });

    std::vector<std::string> wanted;
    if (line.empty()) {
        const bool duke = history.find_first_of("dT") != std::string::npos;
        wanted = {"C", has('$') ? "T" : duke ? "I\n" : "F", "I\n"};
    } else {
        wanted = {"d", "c"};
        if (has('!') || cards.size() == 1) wanted.push_back("s");
        for (const char* answer : {"p", "\n"}) wanted.push_back(answer);
        for (char card : cards) wanted.push_back(std::string(1, card));
        // What it likes least is given up first.
        for (auto card = cards.rbegin(); card != cards.rend(); ++card) {
            const std::string sign(1, GIVEN_UP[HELD.find(*card)]);
            wanted.push_back(sign);
            wanted.push_back(sign + "\n");
        }
    }
    const bool exchange = line == "Ep" || (line.rfind("Eq~", 0) == 0 && line.size() == 4);
    if (exchange) std::cout << cards.substr(0, cards.size() - 2) << std::flush;

    for (const std::string& move : wanted) {
        if (std::find(legal.begin(), legal.end(), move) == legal.end()) continue;
        std::ofstream(path, std::ios::app) << move;
        return 0;
    }
    return 1;
}
