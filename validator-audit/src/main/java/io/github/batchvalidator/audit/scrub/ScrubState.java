// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

/**
 * The state of all partitions, and the file that keeps it.
 *
 * <p>The file has a line with its version, a line about the pass, a line per partition, and a line
 * with the checksum of the lines before it. It is replaced as a whole. The line of a partition has
 * a hash of the rules of its check.
 */
final class ScrubState {
  private static final String VERSION = "batchvalidator-scrub 3";
  private static final String PASS = "pass ";
  private static final String END = "crc32c ";
  private static final int COLUMNS = 9;

  private final Map<String, PartitionState> partitions = new TreeMap<>();
  private long passMs;

  /** The file is damaged, or of another version. */
  static final class DamagedException extends Exception {
    private static final long serialVersionUID = 1;

    DamagedException(String why) {
      super(why);
    }
  }

  /** Returns when the current pass started, or 0 if none has. */
  long passMs() {
    return passMs;
  }

  /** Starts a pass, or ends it with 0. */
  void pass(long startMs) {
    passMs = startMs;
  }

  /** Returns the state of a partition, which may be new. */
  PartitionState of(Path partition, long nowMs) {
    return partitions.computeIfAbsent(
        partition.toString(), path -> new PartitionState(Math.max(1, nowMs)));
  }

  /** Forgets the partitions of a directory that are not there anymore. */
  void keep(Path directory, List<Path> found) {
    var names = found.stream().map(Path::toString).collect(Collectors.toSet());
    partitions
        .keySet()
        .removeIf(path -> directory.equals(Path.of(path).getParent()) && !names.contains(path));
  }

  /** Reads a file. Returns an empty state if the file does not exist. */
  static ScrubState read(Path file) throws IOException, DamagedException {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException first) {
      return new ScrubState();
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (!text.startsWith(VERSION + "\n")) {
      throw new DamagedException("it does not start with \"" + VERSION + "\"");
    }
    int end = text.lastIndexOf(END);
    if (end < 0 || !text.substring(end).equals(end(text.substring(0, end)))) {
      throw new DamagedException("its checksum is wrong");
    }
    try {
      return parse(text.substring(0, end).lines().skip(1).toList());
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new DamagedException("a line cannot be read");
    }
  }

  private static String end(String text) {
    return END + hash(text) + "\n";
  }

  /** Returns a hash of a text, in hexadecimal digits. */
  static String hash(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return Long.toHexString(crc.getValue());
  }

  private static ScrubState parse(List<String> lines) {
    ScrubState state = new ScrubState();
    state.passMs = Long.parseLong(lines.get(0).substring(PASS.length()));
    for (String line : lines.subList(1, lines.size())) {
      String[] columns = line.split("\t", COLUMNS);
      PartitionState partition =
          PartitionState.restored(
              Long.parseLong(columns[0]),
              Long.parseLong(columns[1]),
              result(columns[2]),
              columns[7]);
      long startedMs = Long.parseLong(columns[3]);
      if (startedMs > 0) {
        partition.interruptedAt(startedMs, unescaped(columns[4]), result(columns[5]));
      }
      partition.compactedFrom(unescaped(columns[6]));
      state.partitions.put(unescaped(columns[8]), partition);
    }
    return state;
  }

  private static PartitionState.Result result(String text) {
    Map<String, Long> counts = new TreeMap<>();
    for (String each : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      String[] parts = each.split("=", 2);
      counts.put(parts[0], Long.parseLong(parts[1]));
    }
    return new PartitionState.Result(counts);
  }

  private static String text(PartitionState.Result result) {
    return result.counts().entrySet().stream()
        .map(count -> count.getKey() + "=" + count.getValue())
        .collect(Collectors.joining(","));
  }

  /** Writes the file as a whole. A reader finds the old one or the new one. */
  void write(Path file) throws IOException {
    StringBuilder text = new StringBuilder(VERSION + "\n" + PASS + passMs + "\n");
    partitions.forEach(
        (path, each) ->
            text.append(
                String.join(
                        "\t",
                        Long.toString(each.seenMs()),
                        Long.toString(each.checkedMs()),
                        text(each.last()),
                        Long.toString(each.startedMs()),
                        escaped(each.reached()),
                        text(each.before()),
                        escaped(each.compactedFrom()),
                        each.rules(),
                        escaped(path))
                    + "\n"));
    replace(file, text + end(text.toString()), true);
  }

  /**
   * Replaces a file.
   *
   * @param syncs true if the file must be whole after a crash of the machine, too
   */
  static void replace(Path file, String text, boolean syncs) throws IOException {
    Path next = file.resolveSibling(Objects.requireNonNull(file.getFileName()) + ".new");
    try (FileChannel out =
        FileChannel.open(
            next,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      if (syncs) {
        out.force(true);
      }
    }
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static String escaped(String path) {
    return path.replace("\\", "\\\\")
        .replace("\n", "\\n")
        .replace("\r", "\\r")
        .replace("\t", "\\t");
  }

  private static String unescaped(String text) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == '\\') {
        i++;
        each = control(text.charAt(i));
      }
      path.append(each);
    }
    return path.toString();
  }

  private static char control(char letter) {
    return switch (letter) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> letter;
    };
  }
}
