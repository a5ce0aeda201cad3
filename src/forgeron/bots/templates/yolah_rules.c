/* A bot for Yolah that knows the rules: it looks two plies ahead. Make `judge` better.
 *
 * Compile it with:  cc -O2 -o my_bot THIS_FILE
 * Test it with:     forgeron check yolah ./my_bot
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The rules of Yolah ------------------------------------------------------------------------------------------ */

enum { EMPTY, BLACK, WHITE, HOLE };

typedef struct {
    char square[64];  /* a1 is 0, b1 is 1, h8 is 63 */
    int points[2];    /* of black and white: one for each move that was no pass */
    int turn;         /* 0: black, 1: white */
} Board;

typedef struct { int from, to; } Move;  /* a pass is from a1 to a1 */

static Board start_board(void) {
    Board board = {{0}, {0, 0}, 0};
    const char *black[] = {"a1", "h8", "d5", "e4"}, *white[] = {"a8", "h1", "d4", "e5"};
    for (int i = 0; i < 4; i++) {
        board.square[black[i][0] - 'a' + 8 * (black[i][1] - '1')] = BLACK;
        board.square[white[i][0] - 'a' + 8 * (white[i][1] - '1')] = WHITE;
    }
    return board;
}

/* Writes the moves of the side to move; 0 when it has none: then it passes, and the game is over if both have none. */
static int piece_moves(const Board *board, Move *out) {
    int n = 0;
    for (int from = 0; from < 64; from++) {
        if (board->square[from] != BLACK + board->turn) continue;
        for (int dx = -1; dx <= 1; dx++)
            for (int dy = -1; dy <= 1; dy++) {
                int x = from % 8 + dx, y = from / 8 + dy;
                for (; (dx || dy) && x >= 0 && x < 8 && y >= 0 && y < 8 && board->square[x + 8 * y] == EMPTY;
                     x += dx, y += dy)
                    out[n++] = (Move){from, x + 8 * y};
            }
    }
    return n;
}

static Board play(Board board, Move move) {
    if (move.from != move.to) {
        board.square[move.to] = board.square[move.from];
        board.square[move.from] = HOLE;  /* the square that was left is gone for good */
        board.points[board.turn]++;
    }
    board.turn = 1 - board.turn;
    return board;
}

/* --- The player -------------------------------------------------------------------------------------------------- */

#define MAX_MOVES 256
#define PASS ((Move){0, 0})

/* How good a board is for a side: the lead in points, and the moves it has more than the opponent. */
static double judge(Board board, int side) {
    Move moves[MAX_MOVES];
    board.turn = side;
    int mine = piece_moves(&board, moves);
    board.turn = 1 - side;
    return 10.0 * (board.points[side] - board.points[1 - side]) + mine - piece_moves(&board, moves);
}

/* What the side to move can expect so many plies further on. */
static double value(Board board, int plies) {
    Move moves[MAX_MOVES];
    if (plies == 0) return judge(board, board.turn);
    int n = piece_moves(&board, moves);
    if (n == 0) return -value(play(board, PASS), plies - 1);
    double best = -1e9;
    for (int i = 0; i < n; i++) {
        double found = -value(play(board, moves[i]), plies - 1);
        if (found > best) best = found;
    }
    return best;
}

/* Two plies ahead: my move and the answer. ms is the time for it, 0 when the referee gave none for a single move. */
static Move choose(Board board, long ms) {
    (void)ms;
    Move moves[MAX_MOVES], best = PASS;
    double most = -1e9;
    for (int i = 0, n = piece_moves(&board, moves); i < n; i++) {
        double found = -value(play(board, moves[i]), 1);
        if (found > most) most = found, best = moves[i];
    }
    return best;
}

/* --- The protocol ------------------------------------------------------------------------------------------------ */

static int square_of(const char *text) { return text[0] - 'a' + 8 * (text[1] - '1'); }

/* A token such as w6b/8/8/3bw3/3wb3/8/8/b6w:b:0:0: ranks from the top, x for holes, digits for empty squares. */
static Board read_board(const char *token) {
    Board board = {{0}, {0, 0}, 0};
    int x = 0, y = 7;
    for (; *token && *token != ':'; token++) {
        if (*token == '/') x = 0, y--;
        else if (*token >= '1' && *token <= '8') x += *token - '0';
        else board.square[x++ + 8 * y] = *token == 'b' ? BLACK : *token == 'w' ? WHITE : HOLE;
    }
    char turn = 'b';
    sscanf(token, ":%c:%d:%d", &turn, &board.points[0], &board.points[1]);
    board.turn = turn == 'w';
    return board;
}

static Board read_position(char *line) {
    Board board = start_board();
    int moves = 0;
    for (char *word = strtok(line, " \r\n"), *before = ""; word; before = word, word = strtok(NULL, " \r\n")) {
        if (!strcmp(before, "pos")) board = read_board(word);
        if (moves) board = play(board, (Move){square_of(word), square_of(word + 3)});
        if (!strcmp(word, "moves")) moves = 1;
    }
    return board;
}

int main(void) {
    static char line[1 << 18];
    Board board = start_board();
    setvbuf(stdout, NULL, _IOLBF, 0);  /* a line at a time, or the referee waits and the bot loses on time */
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "ugi", 3)) puts("id name rules\nugiok");
        else if (!strncmp(line, "isready", 7)) puts("readyok");
        else if (!strncmp(line, "position ", 9)) board = read_position(line);
        else if (!strncmp(line, "quit", 4)) break;
        else if (!strncmp(line, "go", 2)) {
            const char *ms = strstr(line, "movetime ");
            Move move = choose(board, ms ? atol(ms + 9) : 0);
            printf("bestmove %c%d:%c%d\n", 'a' + move.from % 8, 1 + move.from / 8, 'a' + move.to % 8, 1 + move.to / 8);
        }
    }
    return 0;
}
