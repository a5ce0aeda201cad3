// A first bot: it plays any game of Forgeron, legally, at random. Make `choose` better.
//
// Compile it with:  c++ -std=c++17 -O2 -o my_bot THIS_FILE
// Test it with:     forgeron check GAME ./my_bot
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

struct Bot {
    std::vector<std::string> legal;  // the moves that are allowed now
    std::vector<std::string> moves;  // those that led from the first position to this one
    double seconds = 1.0;            // what this move may take
    std::mt19937 random{std::random_device{}()};

    std::string choose() {
        return legal[random() % legal.size()];
    }

    // "go movetime 500", or "go p1time 60000 p2time 60000 p1inc 0 p2inc 0"; all are milliseconds.
    void read_time(std::istringstream& words) {
        double left = 30000, told = 0;
        for (std::string word; words >> word;) {
            double ms = 0;
            if (!(words >> ms)) break;
            if (word == "movetime") told = ms;
            if ((word == "p1time" || word == "p2time") && ms < left) left = ms;
        }
        seconds = (told > 0 ? told : left / 30) / 1000;
    }

    bool obey(const std::string& line) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "ugi") {
            say("id name starter");
            say("option name legal type check");  // asks the referee to send the legal moves
            say("ugiok");
        } else if (word == "isready") {
            say("readyok");
        } else if (word == "position") {
            moves.clear();
            while (words >> word && word != "moves") {
            }
            while (words >> word) moves.push_back(word);
        } else if (word == "legal") {
            legal.clear();
            while (words >> word) legal.push_back(word);
        } else if (word == "go") {
            read_time(words);
            say("bestmove " + choose());
        }
        return word != "quit";
    }

    static void say(const std::string& text) {
        std::cout << text << std::endl;  // endl also flushes: else the referee waits, and the bot loses on time
    }
};

int main() {
    Bot bot;
    for (std::string line; std::getline(std::cin, line) && bot.obey(line);) {
    }
}
