/* A first bot: it plays any game of Forgeron, legally, at random. Make `choose` better.
 *
 * Compile it with:  cc -O2 -o my_bot THIS_FILE
 * Test it with:     forgeron check GAME ./my_bot
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_MOVES 4096

static char line[1 << 18];       /* one line of the referee */
static char legal_line[1 << 18]; /* the legal moves, as they came */
static char *legal[MAX_MOVES];
static int n_legal;

static void say(const char *text) {
    printf("%s\n", text);
    fflush(stdout); /* without this the referee waits, and the bot loses on time */
}

/* One of the legal moves; ms is the time for it, 0 when the referee gave none for a single move. */
static const char *choose(long ms) {
    (void)ms;
    return legal[rand() % n_legal];
}

static void read_legal(const char *text) {
    n_legal = 0;
    snprintf(legal_line, sizeof legal_line, "%s", text);
    for (char *word = strtok(legal_line, " \r\n"); word && n_legal < MAX_MOVES; word = strtok(NULL, " \r\n"))
        legal[n_legal++] = word;
}

int main(void) {
    srand((unsigned)time(NULL));
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "ugi", 3)) {
            say("id name starter");
            say("option name legal type check"); /* asks the referee to send the legal moves */
            say("ugiok");
        } else if (!strncmp(line, "isready", 7)) {
            say("readyok");
        } else if (!strncmp(line, "legal ", 6)) {
            read_legal(line + 6); /* a "position" line came before it, with all moves so far */
        } else if (!strncmp(line, "go", 2) && n_legal) {
            const char *ms = strstr(line, "movetime ");
            printf("bestmove %s\n", choose(ms ? atol(ms + 9) : 0));
            fflush(stdout);
        } else if (!strncmp(line, "quit", 4)) {
            break;
        }
    }
    return 0;
}
