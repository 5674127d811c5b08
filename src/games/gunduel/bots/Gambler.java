import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Random;

/** Gambler: fires whatever it has as soon as the coin says so, else loads, and shields itself only from one who has more. */
public class Gambler {
  public static void main(String[] args) throws IOException {
    String seed = System.getenv("AGON_SEED");
    Random coin = new Random(seed == null ? 1 : Long.parseLong(seed));
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    int rounds = 0;
    int foe = 0;
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.startsWith("I")) {
        rounds = 0;
        foe = 0;
      } else if (line.startsWith("F")) {
        char action = choose(coin, rounds, foe);
        rounds += change(action);
        System.out.println(action);
        System.out.flush();
      } else if (line.startsWith("P")) {
        foe += change(line.charAt(1));
      }
    }
  }

  private static char choose(Random coin, int rounds, int foe) {
    if (rounds > 0 && coin.nextInt(3) < 2) return rounds > 1 && coin.nextBoolean() ? '2' : '1';
    if (foe > rounds) return foe > 1 && coin.nextBoolean() ? '=' : '-';
    return '0';
  }

  private static int change(char action) {
    return action == '0' ? 1 : action == '1' ? -1 : action == '2' ? -2 : 0;
  }
}
