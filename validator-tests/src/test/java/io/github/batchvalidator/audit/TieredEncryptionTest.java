// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.batchvalidator.audit.TieredCopy.Aiven;
import io.github.batchvalidator.audit.tiered.DataKeys;
import io.github.batchvalidator.cli.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Encrypted segments of Aiven's plugin, with their private key, another one, and none. */
class TieredEncryptionTest {
  private static final Aiven COMPRESSED = new Aiven("p/", 1500, true);
  private static final Aiven PLAIN = new Aiven("", 1500, false);

  @TempDir private static Path data;

  @TempDir private Path store;

  private static Path partition = Path.of("none");
  private static KeyPair pair = TieredEncryption.newPair();
  private static Path fitting = Path.of("none");
  private static Path other = Path.of("none");

  @BeforeAll
  static void write() throws IOException {
    partition = SampleLog.write(data);
    fitting = TieredEncryption.writeKey(data.resolve("fitting.pem"), pair);
    other = TieredEncryption.writeKey(data.resolve("other.pem"), TieredEncryption.newPair());
  }

  private TieredCopy copy(Aiven layout) throws Exception {
    return TieredCopy.aiven(partition, store, layout, new TieredEncryption(pair.getPublic()));
  }

  private Audited audit(Path... keys) throws Exception {
    return TieredAudit.decrypted(store, DataKeys.read(List.of(keys)));
  }

  @ParameterizedTest
  @CsvSource({"1500, true", "1500, false", "100000, true", "100000, false"})
  void encryptedSegmentsAreCheckedLikePlainOnes(int chunkBytes, boolean compressed)
      throws Exception {
    TieredCopy copy = copy(new Aiven("p/", chunkBytes, compressed));
    Audited audit = audit(other, fitting);
    assertEquals(List.of(), audit.messages());
    assertEquals(List.of(), audit.errors());
    assertEquals(copy.segments(), audit.files().size());
    Audited local = Audited.of(data);
    for (int i = 0; i < copy.segments(); i++) {
      assertEquals(local.files().get(i).tally().records(), audit.files().get(i).tally().records());
    }
    assertEquals(copy.next(copy.segments() - 1) - 1, audit.partitions().get(0).lastOffset());
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void aChangedBitIsFound(boolean compressed) throws Exception {
    TieredCopy copy = copy(compressed ? COMPRESSED : PLAIN);
    copy.edit(1, "log", log -> log.put(20, (byte) (log.get(20) ^ 1)));
    Audited audit = audit(fitting);
    String log = copy.file(1, "log").getFileName().toString();
    assertEquals(
        List.of(
            "TIERED_CHUNK_CORRUPT "
                + log
                + "@0: chunk 0 cannot be decrypted: it was changed, or belongs to another segment"),
        audit.messages());
    assertEquals(List.of(), audit.errors());
  }

  @Test
  void aChangedIndexIsAnError() throws Exception {
    TieredCopy copy = copy(COMPRESSED);
    copy.edit(1, "indexes", log -> log.put(13, (byte) (log.get(13) ^ 1)));
    Audited audit = audit(fitting);
    String name = copy.file(1, "indexes").getFileName().toString();
    assertEquals(
        List.of(name + ": the index at byte 0 cannot be decrypted: it was changed"),
        audit.errors());
    assertEquals(List.of(), audit.messages());
  }

  @Test
  void withoutTheKeyEachSegmentIsAnError() throws Exception {
    TieredCopy copy = copy(COMPRESSED);
    assertEquals(
        errors(copy, "the object is encrypted; name the private key by --key"), audit().errors());
    assertEquals(
        errors(copy, "the object is encrypted, and no private key fits; its key id is key-1"),
        audit(other).errors());
  }

  private static List<String> errors(TieredCopy copy, String why) {
    return IntStream.range(0, copy.segments())
        .mapToObj(i -> copy.file(i, "log").getFileName() + ": " + why)
        .toList();
  }

  @Test
  void theCommandTakesKeys() throws Exception {
    copy(COMPRESSED);
    String tiered = "--tiered=" + store;
    assertEquals(0, Run.of(tiered, "--key=" + other, "--key=" + fitting).exitCode());
    Run without = Run.of(tiered);
    assertEquals(3, without.exitCode());
    assertTrue(without.err().contains("name the private key by --key"), without.err());
  }

  @Test
  void filesWithoutKeysAreWrongUsage() throws Exception {
    copy(COMPRESSED);
    Path garbage =
        Files.writeString(
            store.resolve("garbage.pem"),
            "-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----");
    Path text = Files.writeString(store.resolve("text.pem"), "secret");
    for (Path file : List.of(garbage, text, store.resolve("absent.pem"))) {
      Run run = Run.of("--tiered=" + store, "--key=" + file);
      assertEquals(2, run.exitCode());
      assertTrue(run.err().contains("--key must be a file with a private RSA key"), run.err());
      assertFalse(run.err().contains("secret"), run.err());
    }
  }

  /** The plugin refuses such manifests, too. */
  @Test
  void anUnreadableDataKeyIsAFault() throws Exception {
    TieredCopy copy = copy(COMPRESSED);
    copy.manifest(1, json -> json.putObject("encryption").put("dataKey", "k:?").put("aad", "a"));
    Audited audit = audit(fitting);
    assertEquals(1, audit.faults().size(), () -> audit.messages().toString());
    assertTrue(
        audit.faults().get(0).startsWith("TIERED_MANIFEST_INVALID"), audit.messages()::toString);
  }
}
