// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.dropin.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.dropin.offlock.OffLockCounts;
import io.github.batchvalidator.dropin.offlock.OffLockInspector;
import io.github.batchvalidator.dropin.shadow.FilledShadowCounts;
import io.github.batchvalidator.dropin.shadow.ShadowCounts;
import io.github.batchvalidator.rule.Codec;
import io.github.batchvalidator.rule.Reason;
import io.github.batchvalidator.rule.RebuildCause;
import io.github.batchvalidator.rule.TimestampType;
import io.github.batchvalidator.rule.Verdict;
import io.github.batchvalidator.verdict.MutableVerdict;
import io.github.batchvalidator.watch.ValidationCounts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.management.JMRuntimeException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.Test;

/** What JMX shows of the counts, by types of the JDK alone. */
class DropInBeanTest {
  private static final OffLockCounts OFF_LOCK = new OffLockInspector(null).counts();

  private final MBeanServer server = MBeanServerFactory.newMBeanServer();
  private final ValidationCounts counts = new ValidationCounts();
  private final ShadowCounts shadow = new ShadowCounts();
  private final DropInBean bean =
      new DropInBean("4.3", "level=kafka", counts, shadow, OFF_LOCK, null);

  private Object attribute(String name) throws Exception {
    return server.getAttribute(new ObjectName(DropInMXBean.NAME), name);
  }

  private long entry(String attribute, Object key) throws Exception {
    TabularData table = (TabularData) attribute(attribute);
    return (Long) table.get(new Object[] {key}).get("value");
  }

  private Set<String> keys(String attribute) throws Exception {
    return ((TabularData) attribute(attribute))
        .values().stream()
            .map(row -> (String) ((CompositeData) row).get("key"))
            .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Verdict strictFault() {
    MutableVerdict verdict = new MutableVerdict();
    verdict.header(Codec.GZIP, false, TimestampType.CREATE_TIME);
    verdict.findings().add(Reason.CODEC_BYTES_LEFT, 61, 0, 0);
    verdict.findings().enforce(verdict);
    return verdict;
  }

  @Test
  void showsTheCounts() throws Exception {
    assertTrue(bean.register(() -> server));
    counts.judged(strictFault(), null);
    MutableVerdict unknown = new MutableVerdict();
    unknown.refuse(Reason.BATCH_CRC_MISMATCH, 0, 0, 0);
    counts.judged(unknown, null);
    MutableVerdict accepted = new MutableVerdict();
    accepted.batch(100, (byte) 2);
    accepted.header(Codec.LZ4, false, TimestampType.CREATE_TIME);
    accepted.walk().records(1, 250, -1);
    accepted.rebuild(RebuildCause.OTHER_CODEC);
    accepted.findings().add(Reason.RECORD_LENGTH_UNTRUE, 61, 0, 0, 9, 8);
    counts.judged(accepted, null);
    assertEquals("4.3", attribute("KafkaLine"));
    assertEquals("level=kafka", attribute("Settings"));
    assertEquals(1L, attribute("Accepted"));
    assertEquals(2L, attribute("Refused"));
    assertEquals(1, entry("AcceptedByCodec", "LZ4"));
    assertEquals(0, entry("AcceptedByCodec", "GZIP"));
    assertEquals(1, entry("RefusedByCodec", "GZIP"));
    assertEquals(1, entry("RefusedByCodec", "UNKNOWN"));
    assertEquals(0, entry("RefusedByCodec", "LZ4"));
    assertEquals(1, entry("RefusedByReason", "CODEC_BYTES_LEFT"));
    assertEquals(1, entry("RefusedByReason", "BATCH_CRC_MISMATCH"));
    assertEquals(1, entry("FoundByReason", "CODEC_BYTES_LEFT"));
    assertEquals(1, entry("FoundByReason", "RECORD_LENGTH_UNTRUE"));
    assertEquals(0, entry("RefusedByReason", "RECORD_LENGTH_UNTRUE"));
    assertEquals(0, entry("FoundByReason", "CODEC_STREAM_AMBIGUOUS"));
    assertEquals(1, entry("RebuiltByCause", "OTHER_CODEC"));
    assertEquals(0, entry("RebuiltByCause", "OTHER_MAGIC"));
    assertEquals(1, entry("PlainBytes", 256L));
    assertEquals(0, entry("PlainBytes", Long.MAX_VALUE));
    assertEquals(1, entry("Ratio", 4L));
    assertEquals(0, entry("Ratio", Long.MAX_VALUE));
  }

  @Test
  void showsNothingOfAShadowThatIsOff() throws Exception {
    assertTrue(new DropInBean("4.3", "", counts, null, OFF_LOCK, null).register(() -> server));
    assertEquals(0L, attribute("ShadowAppends"));
    assertEquals(0L, attribute("ShadowDiffering"));
    assertEquals(Set.of(), keys("ShadowDifferences"));
  }

  @Test
  void showsWhatWasComparedInTheShadow() throws Exception {
    assertTrue(bean.register(() -> server));
    assertEquals(0L, attribute("ShadowAppends"));
    FilledShadowCounts.add(shadow, 3, "RESULT");
    assertEquals(3L, attribute("ShadowAppends"));
    assertEquals(1L, attribute("ShadowDiffering"));
    assertEquals(Set.of("RESULT"), keys("ShadowDifferences"));
    assertEquals(1, entry("ShadowDifferences", "RESULT"));
  }

  @Test
  void namesEveryConstant() throws Exception {
    assertTrue(bean.register(() -> server));
    assertEquals(names(List.of(Reason.values())), keys("RefusedByReason"));
    assertEquals(
        names(Arrays.stream(Reason.values()).filter(Reason::isFinding).toList()),
        keys("FoundByReason"));
    assertEquals(names(List.of(Codec.values())), keys("AcceptedByCodec"));
    assertEquals(names(List.of(RebuildCause.values())), keys("RebuiltByCause"));
  }

  private static Set<String> names(List<? extends Enum<?>> constants) {
    return constants.stream().map(Enum::name).collect(Collectors.toCollection(TreeSet::new));
  }

  /** As where a property of the JVM names a class that is not there. */
  @Test
  void aBrokerWithoutBeansIsLeftAlone() {
    assertFalse(
        bean.register(
            () -> {
              throw new JMRuntimeException("no server");
            }));
    assertFalse(
        bean.register(
            () -> {
              throw new NoClassDefFoundError("no server");
            }));
  }

  @Test
  void aSecondCopyLeavesTheFirstInPlace() throws Exception {
    assertTrue(bean.register(() -> server));
    counts.judged(strictFault(), null);
    assertFalse(
        new DropInBean("4.4", "", new ValidationCounts(), shadow, OFF_LOCK, null)
            .register(() -> server));
    assertEquals("4.3", attribute("KafkaLine"));
    assertEquals(1L, attribute("Refused"));
  }

  @Test
  void everyAttributeIsDocumented() throws Exception {
    assertTrue(bean.register(() -> server));
    String text = Files.readString(Path.of("..", "docs", "metrics.md"));
    assertTrue(text.contains("`" + DropInMXBean.NAME + "`"));
    for (MBeanAttributeInfo info :
        server.getMBeanInfo(new ObjectName(DropInMXBean.NAME)).getAttributes()) {
      assertTrue(text.contains("`" + info.getName() + "`"), info::getName);
    }
  }
}
