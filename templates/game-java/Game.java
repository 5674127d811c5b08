import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** __TITLE__: players bid their cards for prizes that are turned over one by one. */
public class Game extends AgonGame.Match {
    static final String RULES = String.join("\n",
            "# __TITLE__",
            "",
            "1. Each of the players has the cards 1 to __CARDS__, and sees those of everyone. The prizes are worth 1 to __CARDS__ points",
            "   and lie in a pile, shuffled and face down.",
            "2. Each turn the top prize is turned over. All players bid one of their cards at the same time; what was bid is gone.",
            "3. The highest bid takes the prize. Where several bid the highest, none of them does.",
            "4. Whoever gives no legal answer in time bids the lowest card.",
            "5. When the pile is empty, the most points win.");

    List<Integer> prizes = new ArrayList<>();
    int turn = 0;
    List<List<Integer>> hands = new ArrayList<>();
    int[] points;

    /** seats, options and chance, the match's only chance, are there from the beginning. */
    @Override
    public void setup() {
        int cards = ((Number) options.get("cards")).intValue();
        for (int card = 1; card <= cards; card++) prizes.add(card);
        for (int seat = 0; seat < seats; seat++) hands.add(new ArrayList<>(prizes));
        points = new int[seats];
        Collections.shuffle(prizes, chance);
    }

    /** The seats that owe a move now: none exactly when there is an outcome. */
    @Override
    public List<Integer> due() {
        return turn == prizes.size() ? List.of() : IntStream.range(0, seats).boxed().collect(Collectors.toList());
    }

    /** What a seat may know: hidden information stops here. The prizes to come are hidden. */
    @Override
    public Object view(int seat) {
        List<Object> others = new ArrayList<>();
        for (int i = 1; i < seats; i++) {
            int other = (seat + i) % seats;
            others.add(Map.of("hand", hands.get(other), "points", points[other]));
        }
        int prize = due().isEmpty() ? 0 : prizes.get(turn);
        return Map.of("turn", turn, "prize", prize, "hand", hands.get(seat), "points", points[seat], "others", others);
    }

    /** Texts, or a shape such as Map.of("number", Map.of("min", 0, "max", 100, "step", 0.01)). */
    @Override
    public Object legal(int seat) {
        return hands.get(seat).stream().map(String::valueOf).collect(Collectors.toList());
    }

    /** By seat a text that is legal, null where it was not due, or a Map with the fault, which the game prices. */
    @Override
    public void play(List<Object> moves) {
        List<Integer> bids = new ArrayList<>();
        for (int seat = 0; seat < seats; seat++) {
            Object move = moves.get(seat);
            bids.add(move instanceof String ? Integer.parseInt((String) move) : Collections.min(hands.get(seat)));
        }
        int highest = Collections.max(bids);
        if (Collections.frequency(bids, highest) == 1) points[bids.indexOf(highest)] += prizes.get(turn);
        for (int seat = 0; seat < seats; seat++) hands.get(seat).remove(bids.get(seat));
        turn++;
    }

    @Override
    public Object outcome() {
        if (!due().isEmpty()) return null;
        List<Integer> place = new ArrayList<>();
        for (int own : points) place.add(1 + (int) IntStream.of(points).filter(other -> other > own).count());
        return Map.of("place", place, "reason", "all prizes taken", "tally", Map.of("points", points));
    }

    /** The whole position as text, for replays. */
    @Override
    public String board() {
        StringBuilder text = new StringBuilder(due().isEmpty() ? "all prizes are taken" : "a prize of " + prizes.get(turn));
        for (int seat = 0; seat < seats; seat++)
            text.append("\nseat ").append(seat).append(": ").append(points[seat]).append(" points, cards ").append(hands.get(seat));
        return text.toString();
    }

    public static void main(String[] args) throws Exception {
        AgonGame.run(Game::new, Map.of(
                "id", "__NAME__",
                "version", 1, // raise it whenever a match that was played could be judged differently
                "seats", Map.of("min", 2, "max", 4),
                "options", Map.of("cards", __CARDS__),
                "title", "__TITLE__",
                "rules", RULES));
    }
}
