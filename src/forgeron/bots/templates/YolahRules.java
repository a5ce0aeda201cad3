// A bot for Yolah that knows the rules: it looks two plies ahead. Make `judge` better.
//
// Compile it with:  javac Starter.java      (the file is named as the class)
// Test it with:     forgeron check yolah java -cp . Starter
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;

public class Starter {
    /** The rules of Yolah. Square a1 is 0, b1 is 1, h8 is 63; a board is never changed. */
    static final class Board {
        static final char EMPTY = '1', HOLE = 'x';
        final char[] square = new char[64]; // b, w, x or 1
        final int[] points = new int[2]; // one for each move that was no pass
        int turn; // 0: black, 1: white

        /** A token such as w6b/8/8/3bw3/3wb3/8/8/b6w:b:0:0: ranks from the top, digits for empty squares. */
        static Board read(String token) {
            Board board = new Board();
            String[] parts = token.split(":");
            String[] ranks = parts[0].split("/");
            for (int y = 0; y < 8; y++) {
                int x = 0;
                for (char letter : ranks[7 - y].toCharArray()) {
                    int run = Character.isDigit(letter) ? letter - '0' : 1;
                    for (int i = 0; i < run; i++) {
                        board.square[x++ + 8 * y] = Character.isDigit(letter) ? EMPTY : letter;
                    }
                }
            }
            board.turn = parts[1].equals("w") ? 1 : 0;
            board.points[0] = Integer.parseInt(parts[2]);
            board.points[1] = Integer.parseInt(parts[3]);
            return board;
        }

        static Board start() {
            return read("w6b/8/8/3bw3/3wb3/8/8/b6w:b:0:0");
        }

        /** The moves of the pieces of a side; empty when it has to pass. */
        List<String> moves(int side) {
            List<String> found = new ArrayList<>();
            for (int from = 0; from < 64; from++) {
                if (square[from] != "bw".charAt(side)) continue;
                for (int way = 0; way < 9; way++) {
                    int dx = way % 3 - 1, dy = way / 3 - 1;
                    int x = from % 8 + dx, y = from / 8 + dy;
                    while (way != 4 && x >= 0 && x < 8 && y >= 0 && y < 8 && square[x + 8 * y] == EMPTY) {
                        found.add(name(from) + ":" + name(x + 8 * y));
                        x += dx;
                        y += dy;
                    }
                }
            }
            return found;
        }

        /** The board after a move; a1:a1 is a pass. The square that a piece leaves becomes a hole. */
        Board play(String move) {
            Board after = new Board();
            System.arraycopy(square, 0, after.square, 0, 64);
            System.arraycopy(points, 0, after.points, 0, 2);
            int from = number(move.substring(0, 2)), to = number(move.substring(3));
            if (from != to) {
                after.square[to] = square[from];
                after.square[from] = HOLE;
                after.points[turn]++;
            }
            after.turn = 1 - turn;
            return after;
        }

        static String name(int square) {
            return "" + (char) ('a' + square % 8) + (1 + square / 8);
        }

        static int number(String name) {
            return name.charAt(0) - 'a' + 8 * (name.charAt(1) - '1');
        }
    }

    static final String PASS = "a1:a1";

    /** How good a board is for a side: the lead in points, and the moves it has more than the opponent. */
    static double judge(Board board, int side) {
        int lead = board.points[side] - board.points[1 - side];
        return 10.0 * lead + board.moves(side).size() - board.moves(1 - side).size();
    }

    /** What the side to move can expect so many plies further on. */
    static double value(Board board, int plies) {
        if (plies == 0) return judge(board, board.turn);
        List<String> moves = board.moves(board.turn);
        if (moves.isEmpty()) return -value(board.play(PASS), plies - 1);
        double best = Double.NEGATIVE_INFINITY;
        for (String move : moves) best = Math.max(best, -value(board.play(move), plies - 1));
        return best;
    }

    /** Two plies ahead: my move and the answer. */
    static String choose(Board board) {
        String best = PASS;
        double most = Double.NEGATIVE_INFINITY;
        for (String move : board.moves(board.turn)) {
            double found = -value(board.play(move), 1);
            if (found > most) {
                most = found;
                best = move;
            }
        }
        return best;
    }

    static Board readPosition(String[] words) {
        Board board = words[1].equals("startpos") ? Board.start() : Board.read(words[2]);
        boolean moves = false;
        for (String word : words) {
            if (moves) board = board.play(word);
            if (word.equals("moves")) moves = true;
        }
        return board;
    }

    static void say(String text) {
        System.out.println(text);
        System.out.flush(); // without this the referee may wait, and the bot loses on time
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        Board board = Board.start();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.trim().split("\\s+");
            switch (words[0]) {
                case "ugi":
                    say("id name rules");
                    say("ugiok");
                    break;
                case "isready":
                    say("readyok");
                    break;
                case "position":
                    board = readPosition(words);
                    break;
                case "go":
                    say("bestmove " + choose(board));
                    break;
                case "quit":
                    return;
            }
        }
    }
}
