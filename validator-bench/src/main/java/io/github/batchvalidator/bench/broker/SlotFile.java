// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.batchvalidator.bench.broker.Measured.Maximum;
import io.github.batchvalidator.bench.report.LiveFigure;
import io.github.batchvalidator.testkit.broker.BrokerBuild;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;

/**
 * A file with a line of JSON for each cell of a round, for each maximum, and for each start of a
 * run. A run that is resumed reads it and measures the rest.
 */
final class SlotFile {
  private static final String SETTINGS = "settings";
  private static final String COMMIT = "commit";
  private static final String MAXIMUM = "maximum";
  private static final String ROUND = "round";
  private static final String CELL = "cell";
  private static final String LATENCIES = "latencies";

  private final ObjectMapper mapper = new ObjectMapper();
  private final Path file;
  private final String settings;
  private final Measured measured = new Measured();
  private final Set<List<Object>> finished = new HashSet<>();
  private final Set<Integer> rounds = new TreeSet<>();
  private final Set<String> commits = new LinkedHashSet<>();

  private SlotFile(Path file, String settings) {
    this.file = file;
    this.settings = settings;
  }

  /**
   * Opens a file; an earlier one is read if the run is resumed, and replaced otherwise.
   *
   * @param processors of this run
   * @param commit of this run
   * @throws IOException if the file cannot be read or written
   * @throws IllegalArgumentException if the earlier run had other settings
   */
  static SlotFile open(Options options, Processors processors, String commit) throws IOException {
    SlotFile slots =
        new SlotFile(
            options.out().folder().resolve(options.fileName() + ".jsonl"),
            options.settings() + "; " + processors.description());
    if (options.out().isResumed() && Files.exists(slots.file)) {
      slots.dropTornLine();
      slots.read(options);
    } else {
      Files.deleteIfExists(slots.file);
    }
    ObjectNode line = slots.mapper.createObjectNode();
    slots.append(line.put(SETTINGS, slots.settings).put(COMMIT, commit));
    slots.commits.add(commit);
    return slots;
  }

  /** Cuts off a last line without a line end: the run was killed while it wrote the line. */
  private void dropTornLine() throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(end);
    }
  }

  private void read(Options options) throws IOException {
    for (String text : Files.readAllLines(file)) {
      JsonNode line = mapper.readTree(text);
      if (line.has(SETTINGS)) {
        String earlier = line.path(SETTINGS).asText();
        if (!earlier.equals(settings)) {
          throw new IllegalArgumentException(
              "the run to resume has other settings: %s, not %s".formatted(earlier, settings));
        }
        commits.add(line.path(COMMIT).asText());
      } else if (line.has(MAXIMUM)) {
        Optional<Cell> cell =
            find(line, options.cells().stream().map(Cell::maximum).distinct().toList());
        Maximum maximum = mapper.convertValue(line.path(MAXIMUM), Maximum.class);
        cell.ifPresent(each -> measured.setMaximum(each, maximum));
      } else {
        find(line, options.cells())
            .ifPresent(cell -> keep(line.path(ROUND).asInt(), cell, slots(line)));
      }
    }
  }

  private static Optional<Cell> find(JsonNode line, List<Cell> cells) {
    String name = line.path(CELL).asText();
    return cells.stream().filter(each -> each.toString().equals(name)).findFirst();
  }

  private static Map<BrokerBuild, SlotFigures> slots(JsonNode line) {
    Map<BrokerBuild, SlotFigures> slots = new EnumMap<>(BrokerBuild.class);
    for (BrokerBuild each : BrokerBuild.values()) {
      JsonNode slot = line.path(each.name());
      if (slot.isObject()) {
        Map<LiveFigure, Double> values = new EnumMap<>(LiveFigure.class);
        for (LiveFigure figure : LiveFigure.values()) {
          if (slot.has(figure.key())) {
            values.put(figure, slot.path(figure.key()).asDouble());
          }
        }
        Histogram latencies = Latencies.decode(slot.path(LATENCIES).asText());
        slots.put(each, new SlotFigures(values, latencies));
      }
    }
    return slots;
  }

  private void keep(int round, Cell cell, Map<BrokerBuild, SlotFigures> slots) {
    measured.add(round, cell, slots);
    finished.add(List.of(round, cell));
    rounds.add(round);
  }

  /** Tells whether a cell has been measured in a round. */
  boolean has(int round, Cell cell) {
    return finished.contains(List.of(round, cell));
  }

  /** Adds a cell of a round, one slot of each contender. */
  void add(int round, Cell cell, Map<BrokerBuild, SlotFigures> slots) throws IOException {
    ObjectNode line = mapper.createObjectNode().put(ROUND, round).put(CELL, cell.toString());
    slots.forEach(
        (contender, slot) -> {
          ObjectNode values = line.putObject(contender.name());
          slot.values().forEach((figure, value) -> values.put(figure.key(), value));
          values.put(LATENCIES, Latencies.encode(slot.latencies()));
        });
    append(line);
    keep(round, cell, slots);
  }

  /** Adds what the stock broker takes at most. */
  void add(Cell fullSpeed, Maximum maximum) throws IOException {
    ObjectNode line = mapper.createObjectNode().put(CELL, fullSpeed.toString());
    line.set(MAXIMUM, mapper.valueToTree(maximum));
    append(line);
    measured.setMaximum(fullSpeed, maximum);
  }

  private void append(JsonNode line) throws IOException {
    Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Returns all that the file has. */
  Measured measured() {
    return measured;
  }

  /** Returns the number of rounds of which the file has something. */
  int rounds() {
    return rounds.size();
  }

  /** Returns the commits of the runs that have written the file. */
  String commits() {
    return String.join(", ", commits);
  }
}
