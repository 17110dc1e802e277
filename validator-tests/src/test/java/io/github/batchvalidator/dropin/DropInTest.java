// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.settings.Settings;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Limits;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.RecordBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.utils.BufferSupplier;
import org.apache.kafka.common.utils.PrimitiveRef;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The runtime and the announcement that all appends of a broker share. */
class DropInTest {
  @Test
  void withoutSettingsTheLimitsAreGenerous() {
    assertEquals(
        Limits.GENEROUS,
        DropIn.runtime()
            .policies(new TopicPartition("topic", 0))
            .of(AppendOrigin.CLIENT, TimestampType.CREATE_TIME, 1, 2, false, (byte) 2)
            .limits());
  }

  /** A class that cannot be initialized would refuse all appends from then on. */
  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, NoClassDefFoundError.class})
  void aLogThatFailsDoesNotKeepLogValidatorFromBeingLoaded(Class<? extends Throwable> kind) {
    FailingLog log = new FailingLog(kind);
    assertDoesNotThrow(() -> DropIn.announce("4.3", log.logger()));
    assertEquals(List.of("info"), log.called());
  }

  /** Kafka's own class once asked for a buffer and did not return it (KAFKA-9820). */
  @Test
  void anAppendInPlaceTakesNoBufferOfTheCaller() {
    BufferSupplier none =
        new BufferSupplier() {
          @Override
          public ByteBuffer get(int capacity) {
            throw new IllegalStateException("asked for " + capacity);
          }

          @Override
          public void release(ByteBuffer buffer) {
            throw new IllegalStateException("got one back");
          }

          @Override
          public void close() {}
        };
    for (Codec codec : Codec.values()) {
      Validators.of(Batches.ofPlain(codec, 1, new RecordBytes().toBytes()), codec, codec, false)
          .validateMessagesAndAssignOffsets(PrimitiveRef.ofLong(0), new RecordedMetrics(), none);
    }
  }

  @Test
  void theLogNamesWhatIsIgnored(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("shared.properties");
    Files.writeString(file, "level=strict\nbatchvalidator.gzip=java\nbroker.id=1\n");
    assertTrue(warnings(file).contains("do not start with batchvalidator.: [broker.id, level]"));
    Files.writeString(file, "batchvalidator.gzip=java\n");
    assertEquals("", warnings(file));
  }

  @Test
  void theLogNamesWrongSettings() {
    Properties system = new Properties();
    system.setProperty("batchvalidator.level", "lenient");
    String errors = logged("error ", system);
    assertTrue(
        errors.startsWith(
            "error Batch Validator for Kafka 4.3 refuses its settings: batchvalidator.level is"
                + " lenient, legal is kafka or strict. Every append fails until"),
        errors);
  }

  /** {@return the warnings in the broker's log with a properties file} */
  private static String warnings(Path file) {
    Properties system = new Properties();
    system.setProperty("batchvalidator.config", file.toString());
    return logged("warn ", system);
  }

  /** {@return the lines of one level in the broker's log} */
  private static String logged(String level, Properties system) {
    List<String> lines = new ArrayList<>();
    new DropIn(() -> Settings.read(system)).registerAndLog("4.3", LoggedLines.into(lines));
    return lines.stream().filter(line -> line.startsWith(level)).collect(Collectors.joining());
  }
}
