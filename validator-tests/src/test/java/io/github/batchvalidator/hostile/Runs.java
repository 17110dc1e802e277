// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.hostile;

import io.github.batchvalidator.dropin.BrokerJvm;
import io.github.batchvalidator.dropin.Lines;
import io.github.batchvalidator.rule.Policy;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** All inputs through our validators, and through stock ones, in JVMs of their own. */
final class Runs {
  /** The stock validator is that of this release, with the codec libraries that it ships. */
  static final String STOCK = "4.3.1";

  private static final String HEAP = "-Xmx64m";
  private static final String COLLECTOR = "-XX:+UseSerialGC";
  private static final String SHORT_LIVED = "-XX:TieredStopAtLevel=1";
  private static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";
  private static final Pattern LINE = Pattern.compile("(\\d+) ([A-Z_]+)");

  private final Path folder;
  private final List<HostileInput> inputs;

  Runs(Path folder, List<HostileInput> inputs) throws IOException {
    this.folder = folder;
    this.inputs = inputs;
    InputFolder.write(folder, inputs);
  }

  /** Returns all answers of ours: with a quarter of the usual stack, too. */
  List<OurAnswer> ours() throws IOException, InterruptedException {
    String path = System.getProperty("surefire.test.class.path");
    String[] parts =
        (path != null ? path : System.getProperty("java.class.path")).split(File.pathSeparator, -1);
    String output =
        BrokerJvm.run(
            Arrays.stream(parts).map(Path::of).toList(),
            List.of(SHORT_LIVED, HEAP, "-Xss256k", COLLECTOR, NATIVE_ACCESS),
            List.of(OurProbe.class.getName(), folder.toString()));
    return output.lines().map(OurAnswer::parse).toList();
  }

  /** Returns what becomes of each input in a stock validator; the dangerous ones are alone. */
  List<StockOutcome> stock() throws IOException, InterruptedException, URISyntaxException {
    StockOutcome[] outcomes = new StockOutcome[inputs.size()];
    Arrays.fill(outcomes, StockOutcome.GONE);
    List<String> harmless = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      if (inputs.get(i).isFellingStock()) {
        askStock(List.of("" + i), outcomes);
      } else {
        harmless.add("" + i);
      }
    }
    askStock(harmless, outcomes);
    return List.of(outcomes);
  }

  private void askStock(List<String> indexes, StockOutcome[] outcomes)
      throws IOException, InterruptedException, URISyntaxException {
    List<String> arguments =
        new ArrayList<>(List.of(StockProbe.class.getName(), folder.toString()));
    arguments.addAll(indexes);
    String output =
        BrokerJvm.run(stockPath(), List.of(SHORT_LIVED, HEAP, "-Xss1m", COLLECTOR), arguments);
    LINE.matcher(output)
        .results()
        .forEach(
            line ->
                outcomes[Integer.parseInt(line.group(1))] = StockOutcome.valueOf(line.group(2)));
  }

  /** Returns what the inputs cost both sides, as a table; with a heap that a broker may have. */
  String costs() throws IOException, InterruptedException, URISyntaxException {
    List<String> call = List.of(CostProbe.class.getName(), folder.toString());
    return BrokerJvm.run(stockPath(), List.of("-Xmx1g", "-Xss1m", COLLECTOR), call);
  }

  private static List<Path> stockPath() throws URISyntaxException {
    Path core = Path.of(Policy.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<Path> path = new ArrayList<>(Lines.kafka(STOCK));
    path.add(core);
    path.addAll(BrokerJvm.tests());
    return path;
  }
}
