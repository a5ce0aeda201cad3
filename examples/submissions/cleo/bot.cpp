// Cleo's bot, in C++: the last legal move.
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

int main() {
    std::vector<std::string> legal;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        // std::endl also flushes: without that the referee waits, and the bot loses on time
        if (word == "ugi") {
            std::cout << "id name Cleo\noption name legal type check\nugiok" << std::endl;
        } else if (word == "isready") {
            std::cout << "readyok" << std::endl;
        } else if (word == "legal") {
            legal.clear();
            while (words >> word) legal.push_back(word);
        } else if (word == "go") {
            std::cout << "bestmove " << legal.back() << std::endl;
        } else if (word == "quit") {
            break;
        }
    }
}
