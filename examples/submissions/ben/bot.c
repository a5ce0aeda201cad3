/* Ben's bot, in C: the first legal move. */
#include <stdio.h>
#include <string.h>

static char line[1 << 18];
static char first[256];

static void say(const char *text) {
    puts(text);
    fflush(stdout); /* without this the referee waits, and the bot loses on time */
}

int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "ugi", 3)) {
            say("id name Ben");
            say("option name legal type check"); /* asks the referee to send the legal moves */
            say("ugiok");
        } else if (!strncmp(line, "isready", 7)) {
            say("readyok");
        } else if (!strncmp(line, "legal ", 6)) {
            sscanf(line + 6, "%255s", first);
        } else if (!strncmp(line, "go", 2)) {
            printf("bestmove %s\n", first);
            fflush(stdout);
        } else if (!strncmp(line, "quit", 4)) {
            break;
        }
    }
    return 0;
}
