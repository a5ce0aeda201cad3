/* A bot that costs next to nothing: it answers with the n-th move of a game it is given on its command line, where n is
   the number of moves in the position line. It measures the referee, not itself. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    static char line[1 << 16];
    int played = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "position", 8)) {
            char *moves = strstr(line, " moves ");
            played = 0;
            for (char *at = moves ? moves + 6 : line + strlen(line); *at; at++)
                played += *at == ' ';
        } else if (!strncmp(line, "go", 2)) {
            printf("bestmove %s\n", argv[1 + played]);
        } else if (!strncmp(line, "uci\n", 4)) {
            printf("id name instant\nuciok\n"); /* for the comparison with chess programs */
        } else if (!strncmp(line, "ugi", 3)) {
            printf("id name instant\nugiok\n");
        } else if (!strncmp(line, "isready", 7)) {
            printf("readyok\n");
        } else if (!strncmp(line, "quit", 4)) {
            return 0;
        }
        fflush(stdout);
    }
    return 0;
}
