// A first bot: it plays any game of Forgeron, legally, at random. Make `choose` better.
//
// Compile it with:  javac Starter.java      (the file must keep this name)
// Test it with:     forgeron check GAME java -cp . Starter
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

public class Starter {
    private static final Random random = new Random();

    /** One of the legal moves; moves are those that led from the first position to this one. */
    static String choose(List<String> legal, List<String> moves) {
        return legal.get(random.nextInt(legal.size()));
    }

    static void say(String text) {
        System.out.println(text);
        System.out.flush(); // without this the referee may wait, and the bot loses on time
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        List<String> legal = List.of();
        List<String> moves = List.of();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            List<String> words = Arrays.asList(line.trim().split("\\s+"));
            switch (words.get(0)) {
                case "ugi":
                    say("id name starter");
                    say("option name legal type check"); // asks the referee to send the legal moves
                    say("ugiok");
                    break;
                case "isready":
                    say("readyok");
                    break;
                case "position":
                    int at = words.indexOf("moves");
                    moves = at < 0 ? List.of() : words.subList(at + 1, words.size());
                    break;
                case "legal":
                    legal = words.subList(1, words.size());
                    break;
                case "go":
                    say("bestmove " + choose(legal, moves));
                    break;
                case "quit":
                    return;
            }
        }
    }
}
