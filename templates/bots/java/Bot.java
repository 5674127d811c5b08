// A bot for __TITLE__. README.md has the rules, and all that a bot is sent.
import java.util.List;
import java.util.Map;

public class Bot {
    /**
     * Called for each of your moves: returns one of the texts in legal. What you may know, such as (String) view.get("…"); a number is a
     * Double, a list a List and an object a Map:
     *   __FIELDS__
     */
    static String choose(Map<String, Object> view, List<String> legal) {
        // A first idea: the first move that is legal. legal.get(Agon.CHANCE.nextInt(legal.size())) is any of them;
        // CHANCE is seeded, so that matches can be played again.
        return legal.get(0);
    }

    public static void main(String[] args) throws Exception {
        Agon.play(Bot::choose);
    }
}
