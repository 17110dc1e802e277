// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.StoredLog.Batch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Damage of a copy of a partition, drawn from a seed. */
final class RandomCopyDamage {
  private static final int KINDS = 12;
  private static final int LEADER_EPOCH = 12;

  private final Random random;
  private final StoredLog log;

  RandomCopyDamage(long seed, Path copy) {
    random = new Random(seed);
    log = new StoredLog(copy);
  }

  /** Damages some places of the copy, and returns what was done. */
  List<String> plant(int places) throws Exception {
    List<String> done = new ArrayList<>();
    List<Path> segments = new ArrayList<>();
    for (int i = 0; i < SampleLog.SEGMENTS; i++) {
      segments.add(log.file(i, ".log"));
    }
    Collections.shuffle(segments, random);
    for (int i = 0; i < places; i++) {
      done.add(plant(segments.get(i)));
    }
    return done;
  }

  private String plant(Path segment) throws Exception {
    int kind = random.nextInt(KINDS);
    List<Batch> batches = batches(segment);
    Batch batch = batches.get(random.nextInt(batches.size()));
    String where = kind + " " + segment.getFileName() + " " + batch;
    switch (kind) {
      case 0, 1, 2 -> flip(segment, batch.position() + random.nextInt(batch.bytes()));
      case 3 -> fill(segment, batch.position(), random.nextInt(3000));
      case 4 -> Files.write(segment, head(segment, random.nextInt((int) Files.size(segment))));
      case 5 -> Files.delete(segment);
      case 6 -> flip(segment, batch.position() + random.nextInt(Long.BYTES));
      case 7 -> flip(segment, batch.position() + LEADER_EPOCH + random.nextInt(Integer.BYTES));
      case 8 -> cut(segment, batch);
      case 9 -> flip(segment, batch.position() + Long.BYTES + random.nextInt(Integer.BYTES));
      case 10 -> companion(segment);
      default -> Files.write(segment, twice(segment, batch));
    }
    return where;
  }

  private static List<Batch> batches(Path segment) throws IOException {
    StoredLog log = new StoredLog(segment.resolveSibling(""));
    for (int i = 0; i < log.bases().size(); i++) {
      if (log.file(i, ".log").equals(segment)) {
        return log.batches(i);
      }
    }
    throw new AssertionError(segment);
  }

  private void flip(Path file, int at) throws IOException {
    byte change = (byte) (1 << random.nextInt(Byte.SIZE));
    log.edit(file, all -> all.put(at, (byte) (all.get(at) ^ change)));
  }

  private void fill(Path file, int from, int bytes) throws IOException {
    byte[] noise = new byte[bytes];
    if (random.nextBoolean()) {
      random.nextBytes(noise);
    }
    log.edit(file, all -> all.put(from, noise, 0, Math.min(bytes, all.capacity() - from)));
  }

  private static byte[] head(Path file, int bytes) throws IOException {
    return Arrays.copyOf(Files.readAllBytes(file), bytes);
  }

  private static void cut(Path file, Batch batch) throws IOException {
    byte[] all = Files.readAllBytes(file);
    byte[] rest = new byte[all.length - batch.bytes()];
    System.arraycopy(all, 0, rest, 0, batch.position());
    int end = batch.position() + batch.bytes();
    System.arraycopy(all, end, rest, batch.position(), all.length - end);
    Files.write(file, rest);
  }

  private static byte[] twice(Path file, Batch batch) throws IOException {
    byte[] all = Files.readAllBytes(file);
    byte[] more = new byte[all.length + batch.bytes()];
    int end = batch.position() + batch.bytes();
    System.arraycopy(all, 0, more, 0, end);
    System.arraycopy(all, batch.position(), more, end, all.length - batch.position());
    return more;
  }

  /** Damages a file beside the segment. */
  private void companion(Path segment) throws IOException {
    String stem = segment.getFileName().toString().replace(".log", "");
    List<String> names =
        List.of(
            stem + ".index", stem + ".timeindex", stem + ".snapshot", "leader-epoch-checkpoint");
    Path file = segment.resolveSibling(names.get(random.nextInt(names.size())));
    if (Files.exists(file) && Files.size(file) > 0) {
      flip(file, random.nextInt((int) Files.size(file)));
    }
  }
}
