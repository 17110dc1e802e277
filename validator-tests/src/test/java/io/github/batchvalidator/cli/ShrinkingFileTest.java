// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.batchvalidator.audit.SegmentRules;
import io.github.batchvalidator.audit.Settings;
import io.github.batchvalidator.audit.source.FileSegment;
import io.github.batchvalidator.audit.source.Segment;
import io.github.batchvalidator.format.BatchLayout;
import io.github.batchvalidator.policy.PolicySection;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Level;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.rule.TopicRules;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.HeaderField;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that is truncated during the check is an error, not a fault. */
class ShrinkingFileTest {
  /** Batches are larger than its windows, so they are mapped. */
  private static final Settings MAPPING =
      new Settings(1, 64, 64, 1, new SegmentRules(null, PolicySection.KAFKA));

  private static final Settings OBSERVING =
      Settings.standard(
          1,
          new SegmentRules(
              null,
              new PolicySection(
                  PolicySection.DEFAULT_NAME,
                  List.of(),
                  Level.KAFKA,
                  true,
                  Limits.UNBOUNDED_AS_KAFKA,
                  TopicRules.NONE)));

  private static final int BATCHES = 5;
  private static final int DAMAGE_BYTES = 100;

  @TempDir private Path directory;

  /** Less than a page: what is cut off of a mapped page reads as zeros. */
  private final SegmentBytes segment = SegmentBytes.of(BATCHES, 10);

  private final byte[] bytes = segment.toByteArray();
  private final int fourth = segment.position(3);

  @Test
  void zerosAtTheEnd() throws InterruptedException {
    byte[] all = Arrays.copyOf(bytes, bytes.length + DAMAGE_BYTES);
    assertBecameShorter(BATCHES, Run.USUAL, new Shrinking(all, bytes.length + 1));
  }

  @Test
  void garbageAtTheEnd() throws InterruptedException {
    byte[] all = Arrays.copyOf(bytes, bytes.length + DAMAGE_BYTES);
    Arrays.fill(all, bytes.length, all.length, (byte) -1);
    assertBecameShorter(BATCHES, Run.USUAL, new Shrinking(all, bytes.length + 1));
  }

  @Test
  void damageBetweenBatches() throws InterruptedException {
    byte[] damage = new byte[DAMAGE_BYTES];
    Arrays.fill(damage, (byte) -1);
    byte[] all = segment.addRaw(damage).add(SegmentBytes.batch(Codec.NONE, 2, 1)).toByteArray();
    assertBecameShorter(BATCHES, Run.USUAL, new Shrinking(all, bytes.length + 1));
  }

  @Test
  void damagedBatch() throws InterruptedException {
    bytes[fourth + BatchLayout.HEADER_BYTES] ^= 1;
    assertBecameShorter(3, Run.USUAL, new Shrinking(bytes, fourth + 1));
  }

  @Test
  void offsetsOutOfOrder() throws InterruptedException {
    ByteBuffer.wrap(bytes).putLong(fourth, 1);
    assertBecameShorter(3, Run.USUAL, new Shrinking(bytes, fourth + 1));
  }

  @Test
  void finding() throws InterruptedException {
    ByteBuffer batch = SegmentBytes.batch(Codec.LZ4, 3, 1);
    segment.add(Batches.fixCrc(HeaderField.ATTRIBUTES.set(batch, 0x103)));
    byte[] all = segment.toByteArray();
    assertEquals(1, Run.with(OBSERVING, write(all)).objects("finding").size());
    assertBecameShorter(BATCHES, OBSERVING, new Shrinking(all, bytes.length + 1));
  }

  @Test
  void mappedPageThatIsCut() throws InterruptedException {
    Shrinking shrinking = new Shrinking(bytes, segment.position(1) / 2);
    shrinking.afterMapping = shrinking::cut;
    assertBecameShorter(0, MAPPING, shrinking);
  }

  @Test
  void mappedPageThatIsGone() throws InterruptedException {
    Shrinking shrinking = new Shrinking(bytes, segment.position(1) / 2);
    shrinking.afterMapping =
        () -> {
          throw new InternalError("a fault occurred in an unsafe memory access operation");
        };
    assertBecameShorter(0, MAPPING, shrinking);
  }

  /** The file keeps its size. */
  @Test
  void otherErrorsKeepTheirMessage() throws InterruptedException {
    Shrinking steady = new Shrinking(bytes, bytes.length);
    steady.afterMapping =
        () -> {
          throw new InternalError("something else");
        };
    Run run = Run.with(MAPPING, steady);
    String message = run.objects("error").get(0).get("message").asText();
    assertEquals("java.lang.InternalError: something else", message);
  }

  private static void assertBecameShorter(int batches, Settings settings, Shrinking shrinking)
      throws InterruptedException {
    Run run = Run.with(settings, shrinking);
    assertEquals(List.of(), run.faults());
    assertEquals(0, run.summary().get("findings").asInt());
    assertEquals(1, run.summary().get("errors").asInt());
    String message = run.objects("error").get(0).get("message").asText();
    String expected = "the file became shorter while it was read, at byte " + shrinking.newSize;
    assertEquals(expected, message);
    assertEquals(batches, run.summary().get("batches").asInt());
  }

  private Path write(byte[] content) {
    return SegmentBytes.write(directory, "some.log", content);
  }

  private interface Action {
    void run() throws IOException;
  }

  /** A file that is truncated just before its size is compared. */
  private final class Shrinking extends Segment {
    private final Path path;
    private final FileSegment file;
    private final int newSize;
    private Action afterMapping = () -> {};

    Shrinking(byte[] content, int newSize) {
      super("some.log", "some.log");
      path = write(content);
      file = new FileSegment(path);
      this.newSize = newSize;
    }

    private void cut() throws IOException {
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
        channel.truncate(newSize);
      }
    }

    @Override
    public void openBytes() throws IOException {
      file.openBytes();
    }

    @Override
    public long currentSize() throws IOException {
      if (isOpened()) {
        cut();
      }
      return file.currentSize();
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      file.read(target, position);
    }

    @Override
    public ByteBuffer map(long position, int length) throws IOException {
      ByteBuffer mapped = file.map(position, length);
      afterMapping.run();
      return mapped;
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
