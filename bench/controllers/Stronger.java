import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A plain controller of stronger: a process a turn for each who is alive, all started at the same time. Usage: Stronger GAMES TURNS
 * COMMAND…, each command one word that holds its words separated by spaces. Prints the seconds that the games took.
 */
public final class Stronger {
  private static final ExecutorService POOL = Executors.newCachedThreadPool();

  private static String ask(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(false).start();
    if (!process.waitFor(1, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      return "T";
    }
    try (BufferedReader reader = new BufferedReader(new InputStreamReader(process.getInputStream()))) {
      String line = reader.readLine();
      return line == null ? "" : line.trim();
    }
  }

  private static void game(List<List<String>> commands, int turns) throws Exception {
    int n = commands.size();
    int[] life = new int[n], power = new int[n];
    String[] last = new String[n];
    for (int i = 0; i < n; i++) {
      life[i] = 1000;
      power[i] = 10;
      last[i] = "X";
    }
    for (int turn = 0, alive = n; turn < turns && alive > 1; turn++) {
      List<Future<String>> answers = new ArrayList<>();
      for (int i = 0; i < n; i++) {
        answers.add(null);
        if (life[i] <= 0) continue;
        List<String> command = new ArrayList<>(commands.get(i));
        command.add(String.valueOf(i));
        for (int j = 0; j < n; j++) command.add(j + "," + life[j] + "," + power[j] + "," + last[j]);
        answers.set(i, POOL.submit(() -> ask(command)));
      }
      int[] target = new int[n];
      int[] strength = power.clone();
      boolean[] defends = new boolean[n], living = new boolean[n];
      for (int i = 0; i < n; i++) {
        target[i] = -1;
        living[i] = life[i] > 0;
        if (!living[i]) continue;
        String said = answers.get(i).get();
        last[i] = said;
        if (said.equals("D")) {
          defends[i] = true;
          power[i]--;
          continue;
        }
        try {
          target[i] = Integer.parseInt(said);
        } catch (NumberFormatException error) {
          target[i] = -1;
        }
        if (target[i] < 0 || target[i] >= n || life[target[i]] <= 0) {
          target[i] = -1;
          last[i] = "X";
          power[i]--;
        }
      }
      for (int i = 0; i < n; i++) {
        if (target[i] < 0) continue;
        boolean shield = defends[target[i]];
        life[target[i]] -= shield ? strength[i] - strength[i] / 2 : strength[i];
        power[target[i]] += shield ? 2 : 1;
      }
      alive = 0;
      for (int i = 0; i < n; i++) {
        if (power[i] < 1) power[i] = 1;
        if (life[i] < 0) life[i] = 0;
        if (life[i] > 0) alive++;
      }
    }
  }

  public static void main(String[] args) throws Exception {
    int games = Integer.parseInt(args[0]), turns = Integer.parseInt(args[1]);
    List<List<String>> commands = new ArrayList<>();
    for (int i = 2; i < args.length; i++) commands.add(List.of(args[i].split(" ")));
    long began = System.nanoTime();
    for (int i = 0; i < games; i++) game(commands, turns);
    System.out.println((System.nanoTime() - began) / 1e9);
    POOL.shutdown();
  }
}
