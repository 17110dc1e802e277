// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import io.github.batchvalidator.audit.StoredLog.Batch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Changes of the order and the number of batches of a copy. */
final class LogDivergence {
  private static final String MISSING = "COPY_OFFSETS_MISSING";
  private static final int LAST = SampleLog.SEGMENTS - 1;

  private LogDivergence() {}

  static Stream<Divergence> all() {
    return Stream.of(missing(), extra(), exchanged(), damagedParts(), diverged())
        .flatMap(each -> each);
  }

  private static Stream<Divergence> missing() {
    return Stream.of(
        new Divergence("a batch is missing", log -> cut(log, 0, 9, 9)),
        new Divergence("two batches are missing", log -> cut(log, 0, 9, 10)),
        new Divergence("the first batch of a segment is missing", log -> cut(log, 2, 0, 0)),
        new Divergence(
            "the last batch of a segment is missing",
            log -> cut(log, 0, log.batches(0).size() - 1, log.batches(0).size() - 1)),
        new Divergence("a marker is missing", log -> cut(log, 1, 3, 3)),
        new Divergence(
            "the last batch of the log is missing",
            log -> cut(log, LAST, log.batches(LAST).size() - 1, log.batches(LAST).size() - 1)),
        new Divergence(
            "a segment in the middle is missing",
            log -> {
              long first = log.bases().get(2);
              long next = log.bases().get(3);
              log.delete(2);
              return List.of(MISSING + " " + first + "-" + (next - 1) + " sms");
            }),
        new Divergence(
            "the last segment is missing",
            log -> {
              long first = log.bases().get(LAST);
              long last = last(log);
              log.delete(LAST);
              return List.of(MISSING + " " + first + "-" + last + " sms");
            }),
        new Divergence(
            "a segment is empty",
            log -> {
              long first = log.bases().get(2);
              long next = log.bases().get(3);
              log.truncate(log.file(2, ".log"), 0);
              return List.of(MISSING + " " + first + "-" + (next - 1) + " sms");
            }));
  }

  static long last(StoredLog log) throws Exception {
    List<Batch> batches = log.batches(LAST);
    return batches.get(batches.size() - 1).last();
  }

  private static List<String> cut(StoredLog log, int segment, int from, int to) throws Exception {
    List<Batch> batches = log.batches(segment);
    Batch first = batches.get(from);
    Batch last = batches.get(to);
    log.cut(log.file(segment, ".log"), first.position(), last.position() + last.bytes());
    return List.of(MISSING + " " + first.base() + "-" + last.last() + " sms");
  }

  private static Stream<Divergence> extra() {
    return Stream.of(
        new Divergence("a batch is stored twice", log -> twice(log, 0, 9, 9)),
        new Divergence("an earlier batch is stored again", log -> twice(log, 0, 4, 9)),
        new Divergence(
            "bytes that are no batch are inserted",
            log -> {
              Batch batch = log.batches(0).get(9);
              log.copy(log.file(0, ".log"), 70, 100, batch.position());
              return List.of("COPY_DAMAGED " + batch.base() + "-" + batch.base() + " ?d?");
            }));
  }

  private static List<String> twice(StoredLog log, int segment, int index, int after)
      throws Exception {
    Batch batch = log.batches(segment).get(index);
    Batch next = log.batches(segment).get(after + 1);
    log.copy(
        log.file(segment, ".log"),
        batch.position(),
        batch.position() + batch.bytes(),
        next.position());
    return List.of("COPY_DAMAGED " + next.base() + "-" + next.base() + " ?d?");
  }

  private static Stream<Divergence> exchanged() {
    return Stream.of(
        new Divergence(
            "two batches are exchanged",
            log -> {
              Batch first = log.batches(0).get(7);
              Batch second = log.batches(0).get(8);
              int end = second.position() + second.bytes();
              log.copy(log.file(0, ".log"), first.position(), second.position(), end);
              log.cut(log.file(0, ".log"), first.position(), second.position());
              return List.of(
                  "COPY_DAMAGED " + first.base() + "-" + first.base() + " ?d?",
                  MISSING + " " + second.base() + "-" + second.last() + " sms");
            }),
        new Divergence(
            "the batch of another offset is in the place of one",
            log -> {
              Batch from = log.batches(0).get(4);
              Batch to = log.batches(0).get(9);
              byte[] other = log.bytes(0, from);
              Path file = log.file(0, ".log");
              byte[] all = Files.readAllBytes(file);
              log.truncate(file, to.position());
              log.append(file, other);
              log.append(file, Arrays.copyOfRange(all, to.position() + to.bytes(), all.length));
              return List.of("COPY_DAMAGED " + to.base() + "-" + to.last() + " sds");
            }));
  }

  private static Stream<Divergence> damagedParts() {
    return Stream.of(
        new Divergence("a part of a segment is overwritten", log -> fill(log, 0, 9, 12)),
        new Divergence("the start of a segment is overwritten", log -> fill(log, 2, 0, 1)),
        new Divergence(
            "a segment in the middle is cut inside a batch",
            log -> {
              List<Batch> batches = log.batches(0);
              Batch batch = batches.get(20);
              log.truncate(log.file(0, ".log"), batch.position() + 30);
              StoredLog.age(log.directory()); // or a comparison waits for the rest
              long last = batches.get(batches.size() - 1).last();
              return List.of("COPY_DAMAGED " + batch.base() + "-" + last + " sds");
            }),
        new Divergence(
            "the last segment is cut inside a batch",
            log -> {
              List<Batch> batches = log.batches(LAST);
              Batch batch = batches.get(2);
              long last = last(log);
              log.truncate(log.file(LAST, ".log"), batch.position() + 30);
              StoredLog.age(log.directory());
              return List.of("COPY_DAMAGED " + batch.base() + "-" + last + " sds");
            }),
        new Divergence(
            "a segment is another file",
            log -> {
              long first = log.bases().get(2);
              long next = log.bases().get(3);
              Files.writeString(log.file(2, ".log"), "no segment".repeat(30));
              return List.of("COPY_DAMAGED " + first + "-" + (next - 1) + " sds");
            }));
  }

  private static List<String> fill(StoredLog log, int segment, int from, int to) throws Exception {
    List<Batch> batches = log.batches(segment);
    Batch first = batches.get(from);
    Batch last = batches.get(to);
    log.fill(log.file(segment, ".log"), first.position(), last.position() + last.bytes());
    return List.of("COPY_DAMAGED " + first.base() + "-" + last.last() + " sds");
  }

  private static Stream<Divergence> diverged() {
    return Stream.of(
        new Divergence("another leader has written from an offset on", log -> otherLeader(log, 9)),
        new Divergence("another leader has written all of it", log -> otherLeader(log, 1)),
        new Divergence(
            "the same leader has written other batches",
            log -> {
              long first = log.bases().get(LAST);
              long last = rewrite(log, LAST, 1);
              return List.of("COPY_BATCH_DIFFERS " + first + "-" + last + " sss");
            }));
  }

  /** Has a copy written by another leader from a segment on: an unclean election. */
  private static List<String> otherLeader(StoredLog log, int epochs) throws Exception {
    long first = log.bases().get(LAST - 1);
    long last = rewrite(log, LAST - 1, epochs);
    return List.of("COPY_DIVERGED " + first + "-" + last + " sss");
  }

  /** Writes other batches from a segment on, up to the same offset, and returns that offset. */
  private static long rewrite(StoredLog log, int segment, int epochs) throws Exception {
    long last = last(log);
    List<Long> bases = new ArrayList<>(log.bases());
    long first = bases.get(segment);
    for (long base : bases.subList(segment, bases.size())) {
      log.delete(log.bases().indexOf(base));
    }
    log.deleteSnapshots();
    Files.createFile(log.file(StoredLog.fileName(first, ".log")));
    try (KafkaLog writer = KafkaLog.open(log.directory())) {
      for (int i = 0; i < epochs; i++) {
        writer.nextLeader();
      }
      while (writer.kafka().logEndOffset() <= last) {
        writer.plain((int) Math.min(2, last + 1 - writer.kafka().logEndOffset()));
      }
    }
    return last;
  }
}
