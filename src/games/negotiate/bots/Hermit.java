import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;

/**
 * Hermit: keeps away from crowds. It counts how much the others have invested in each lord and settles with the three that are
 * left alone most, weighing their force; it hears of the nights' visits and keeps away from those, too.
 */
public class Hermit {
    private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));

    public static void main(String[] args) throws IOException {
        new Hermit().run();
    }

    private void run() throws IOException {
        System.out.println("READY");
        int lords = numbers(in.readLine())[2];
        int[] force = numbers(in.readLine());
        int[] crowd = new int[lords];
        for (String head = in.readLine(); head != null; head = in.readLine()) {
            boolean day = head.trim().endsWith("D");
            int[][] rows = new int[lords][];
            for (int lord = 0; lord < lords; lord++) rows[lord] = numbers(in.readLine());
            int[] own = numbers(in.readLine());
            if (day) {
                int[] visits = numbers(in.readLine());
                for (int lord = 0; lord < lords; lord++) crowd[lord] += visits[lord];
            }
            System.out.println(choose(day, force, crowd, rows, own));
        }
    }

    private static String choose(boolean day, int[] force, int[] crowd, int[][] rows, int[] own) {
        StringBuilder named = new StringBuilder();
        for (int left = day ? 5 : 2; left > 0; left--) {
            int best = 0;
            double most = Double.NEGATIVE_INFINITY;
            for (int lord = 0; lord < force.length; lord++) {
                double others = Arrays.stream(rows[lord]).skip(1).sum() + crowd[lord];
                double score = force[lord] / (1.0 + others) - 0.15 * own[lord];
                if (score > most) {
                    most = score;
                    best = lord;
                }
            }
            own[best] += day ? 1 : 2;
            named.append(named.length() == 0 ? "" : " ").append(best);
        }
        return named.toString();
    }

    private static int[] numbers(String line) {
        return Arrays.stream(line.trim().split("\\s+")).mapToInt(Integer::parseInt).toArray();
    }
}
