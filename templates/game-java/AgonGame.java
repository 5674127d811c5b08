import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Reads agon's lines and writes the answers: a JSON object a line each way. System.out is standard error here: print what you like. */
public class AgonGame {
    /** A match; a number of JSON is a Double, a list a List, an object a Map. */
    public abstract static class Match {
        public int seats;
        public Map<String, Object> options;
        /** The match's only chance: the same seed and the same moves lead to the same positions. */
        public Random chance;

        public abstract void setup();
        public abstract List<Integer> due();
        public abstract Object view(int seat);
        public abstract Object legal(int seat);
        public abstract void play(List<Object> moves);
        public abstract Object outcome();

        public String board() {
            return null;
        }
    }

    /** Answers agon until there are no more lines. `told`: id, version, seats, options, and title, rules, scores, hidden, teams. */
    @SuppressWarnings("unchecked")
    public static void run(Supplier<Match> kind, Map<String, Object> told) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream answers = new PrintStream(System.out, true, "UTF-8");
        System.setOut(System.err);
        Map<Object, Match> matches = new HashMap<>();
        for (String line; (line = lines.readLine()) != null; ) {
            Map<String, Object> message = (Map<String, Object>) Agon.parse(line);
            Object type = message.get("type");
            Object number = message.get("match");
            if (type.equals("end")) {
                matches.remove(number);
                continue;
            }
            if (type.equals("describe")) {
                answers.println(json(told));
                continue;
            }
            if (type.equals("setup")) {
                Match match = kind.get();
                match.seats = ((Double) message.get("seats")).intValue();
                match.options = (Map<String, Object>) message.get("options");
                match.chance = chanceOf((String) message.get("seed"));
                match.setup();
                matches.put(number, match);
            } else {
                matches.get(number).play((List<Object>) message.get("moves"));
            }
            answers.println(json(position(number, matches.get(number))));
        }
    }

    private static Map<String, Object> position(Object number, Match match) {
        List<Integer> due = match.due();
        List<Object> views = new ArrayList<>();
        List<Object> legal = new ArrayList<>();
        for (int seat = 0; seat < match.seats; seat++) {
            views.add(match.view(seat));
            legal.add(due.contains(seat) ? match.legal(seat) : null);
        }
        Map<String, Object> answer = new TreeMap<>();
        answer.put("match", number);
        answer.put("due", due);
        answer.put("views", views);
        answer.put("legal", legal);
        if (match.board() != null) answer.put("board", match.board());
        if (match.outcome() != null) answer.put("outcome", match.outcome());
        return answer;
    }

    private static Random chanceOf(String seed) throws Exception {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(seed.getBytes(StandardCharsets.UTF_8));
        long number = 0;
        for (int i = 0; i < 8; i++) number = number << 8 | hash[i] & 0xff;
        return new Random(number);
    }

    /** A value as JSON: null, texts, numbers, booleans, arrays of numbers, collections, and maps, whose keys are put in order. */
    public static String json(Object value) {
        if (value == null || value instanceof Boolean) return String.valueOf(value);
        if (value instanceof Number) {
            double number = ((Number) value).doubleValue();
            return number == Math.rint(number) && Math.abs(number) < 1e15 ? String.valueOf((long) number) : String.valueOf(value);
        }
        if (value instanceof int[]) {
            List<Object> list = new ArrayList<>();
            for (int each : (int[]) value) list.add(each);
            return json(list);
        }
        StringBuilder text = new StringBuilder();
        if (value instanceof Collection) {
            for (Object each : (Collection<?>) value) text.append(text.length() == 0 ? "" : ",").append(json(each));
            return "[" + text + "]";
        }
        if (value instanceof Map) {
            for (Map.Entry<?, ?> each : new TreeMap<>((Map<?, ?>) value).entrySet())
                text.append(text.length() == 0 ? "" : ",").append(Agon.quote(String.valueOf(each.getKey()))).append(':').append(json(each.getValue()));
            return "{" + text + "}";
        }
        return Agon.quote(String.valueOf(value));
    }
}
