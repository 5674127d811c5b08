// Reads agon's questions and writes the answers: a line of JSON each way. Java 11 and nothing else. Debug with System.err: standard output
// belongs to the answers.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

public class Agon {
    /** Your own chance. A bot that takes its chance from nothing else plays the same again from the same seed. */
    public static final Random CHANCE = new Random(Long.parseLong(System.getenv().getOrDefault("AGON_SEED", "1")));

    /** What was told at the beginning of the match: "seat" (your own, from 0), "seats" (how many), "options" and "view". */
    public static Map<String, Object> start = Map.of();

    public interface Choose {
        String of(Map<String, Object> view, List<String> legal) throws Exception;
    }

    /** Answers each question with choose.of(view, legal), until there are no more. */
    @SuppressWarnings("unchecked")
    public static void play(Choose choose) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream answers = new PrintStream(System.out, true, "UTF-8");
        for (String line; (line = lines.readLine()) != null; ) {
            Map<String, Object> message = (Map<String, Object>) parse(line);
            if ("start".equals(message.get("type"))) start = message;
            if (!"ask".equals(message.get("type"))) continue;
            // If legal is a shape, agon sends one example.
            Object legal = message.get("legal") instanceof List ? message.get("legal") : List.of(message.get("example"));
            String action = choose.of((Map<String, Object>) message.get("view"), (List<String>) legal);
            // The question's number shows which one is answered.
            long n = ((Double) message.getOrDefault("n", 0.0)).longValue();
            answers.println("{\"action\":" + quote(action) + ",\"n\":" + n + "}");
        }
    }

    /** The value of a JSON text: null, a Boolean, a Double, a String, a List or a Map. */
    public static Object parse(String json) {
        return new Agon(json).value();
    }

    /** A text as it is written in JSON. */
    public static String quote(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') json.append('\\').append(c);
            else if (c < 0x20) json.append(String.format("\\u%04x", (int) c));
            else json.append(c);
        }
        return json.append('"').toString();
    }

    private final String json;
    private int at = 0;

    private Agon(String json) {
        this.json = json;
    }

    private char next() {
        while (Character.isWhitespace(json.charAt(at))) at++;
        return json.charAt(at);
    }

    private boolean skip(char wanted) {
        boolean there = next() == wanted;
        if (there) at++;
        return there;
    }

    private Object value() {
        char c = next();
        if (c == '"') return text();
        if (skip('{')) {
            Map<String, Object> object = new LinkedHashMap<>();
            while (!skip('}')) {
                skip(',');
                next();
                String key = text();
                skip(':');
                object.put(key, value());
            }
            return object;
        }
        if (skip('[')) {
            List<Object> list = new ArrayList<>();
            while (!skip(']')) {
                skip(',');
                list.add(value());
            }
            return list;
        }
        int from = at;
        while (at < json.length() && ",]} \t\r\n".indexOf(json.charAt(at)) < 0) at++;
        String word = json.substring(from, at);
        if (word.equals("null")) return null;
        if (word.equals("true") || word.equals("false")) return word.equals("true");
        return Double.valueOf(word);
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (at++; json.charAt(at) != '"'; at++) {
            char c = json.charAt(at);
            if (c != '\\') {
                text.append(c);
                continue;
            }
            c = json.charAt(++at);
            if (c == 'u') {
                text.append((char) Integer.parseInt(json.substring(at + 1, at + 5), 16));
                at += 4;
            } else {
                int known = "ntrbf".indexOf(c);
                text.append(known < 0 ? c : "\n\t\r\b\f".charAt(known));
            }
        }
        at++;
        return text.toString();
    }
}
