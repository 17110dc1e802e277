// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.lines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.testing.Batches;
import io.github.batchvalidator.testing.BufferKind;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The row {@code OTHER_MESSAGE_FIRST}, which needs a jar at level STRICT. */
public class OtherMessageIT {
  private static final String LEVEL = "batchvalidator.level";
  private static final int RESERVED_BIT = 0x10;

  /** The first message has a reserved attribute, the second one an old timestamp. */
  @ParameterizedTest
  @EnumSource(KafkaLine.class)
  void otherMessageFirst(KafkaLine line) throws ReflectiveOperationException {
    byte[] value = {'v'};
    long now = Batches.nowMs();
    byte[] bytes =
        LegacyBytes.join(
            List.of(
                LegacyBytes.entry(0, LegacyBytes.message(1, RESERVED_BIT, now, null, value)),
                LegacyBytes.entry(1, LegacyBytes.message(1, 0, now - 7_200_000, null, value))));
    Settings settings = SettingsChanges.target(Settings.of(Codec.NONE, now), Codec.NONE, 1);
    settings = SettingsChanges.origin(settings, "COORDINATOR");
    settings = SettingsChanges.window(settings, 3_600_000, 3_600_000);
    Append append = new Append(bytes, BufferKind.HEAP, settings);
    Answer stock = LinePair.of(line).stock().ask(append);
    assertTrue(stock.threw("RecordValidationException"), stock::toString);
    assertEquals(32, stock.errorCode(), stock::toString);
    assertEquals(32, LinePair.of(line).ours().ask(append).errorCode());
    Answer ours = strict(line, append);
    assertEquals(87, ours.errorCode(), ours::toString);
    String text = ours.texts().all().get(0);
    assertTrue(text.endsWith("attributes 0010 have bits set without a meaning"), text);
  }

  private static Answer strict(KafkaLine line, Append append) throws ReflectiveOperationException {
    System.setProperty(LEVEL, "strict");
    try (LineSide side = new LineSide(line, true)) {
      return side.ask(append);
    } finally {
      System.clearProperty(LEVEL);
    }
  }
}
