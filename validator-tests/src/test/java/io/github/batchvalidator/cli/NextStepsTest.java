// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.batchvalidator.audit.SampleLog;
import io.github.batchvalidator.audit.StoredLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that follow from a fault, with its paths and offsets. */
class NextStepsTest {
  private static final String CHECK = "./check";

  @TempDir private Path data;

  private StoredLog log = new StoredLog(Path.of(""));

  @BeforeEach
  void write() throws IOException {
    log = new StoredLog(SampleLog.write(data.resolve("it's here")));
  }

  private JsonNode onlyFault(int segment, String suffix, Consumer<ByteBuffer> change)
      throws IOException {
    log.edit(log.file(segment, suffix), change);
    List<JsonNode> faults = Run.json(log.directory()).objects("fault");
    assertEquals(1, faults.size(), faults::toString);
    return faults.get(0);
  }

  private static List<String> commands(JsonNode fault) {
    List<String> commands = new ArrayList<>();
    fault.get("commands").forEach(each -> commands.add(each.asText()));
    return commands;
  }

  private String quoted() {
    return "'" + log.directory().toString().replace("'", "'\\''") + "'";
  }

  @Test
  void aWrongChecksumLeadsToRepairSalvageAndTheNextOffset() throws IOException {
    JsonNode fault = onlyFault(0, ".log", all -> all.put(70, (byte) ~all.get(70)));
    assertEquals("BATCH_CRC_MISMATCH", fault.get("reason").asText());
    assertEquals(4, fault.get("nextOffset").asLong());
    assertEquals(
        List.of(
            CHECK + " repair --from " + quoted() + " --from REPLICA_DIR --into OUT_DIR",
            CHECK + " salvage --into OUT_DIR " + quoted(),
            "kafka-consumer-groups.sh --bootstrap-server HOST:PORT --group GROUP --topic orders:3"
                + " --reset-offsets --to-offset 4 --execute"),
        commands(fault));
  }

  @Test
  void afterSkippedBytesTheNextBatchIsRead() throws IOException {
    JsonNode fault = onlyFault(0, ".log", all -> all.putInt(8, -1));
    assertEquals("SEGMENT_FRAMING_CORRUPT", fault.get("reason").asText());
    assertEquals(4, fault.get("nextOffset").asLong());
    assertTrue(commands(fault).get(2).contains("--to-offset 4 "), fault::toString);
  }

  @Test
  void anIndexIsBuiltAgainFromTheSameCopy() throws IOException {
    JsonNode fault = onlyFault(0, ".index", all -> all.putInt(4, all.getInt(4) + 1));
    assertEquals("INDEX_POSITION_INVALID", fault.get("reason").asText());
    assertEquals(
        List.of(CHECK + " repair --from " + quoted() + " --into OUT_DIR"), commands(fault));
  }

  @Test
  void theNamedCommandRuns() throws IOException {
    onlyFault(0, ".index", all -> all.putInt(4, all.getInt(4) + 1));
    Path out = data.resolve("out");
    Run run = Run.of("repair", "--from", log.directory().toString(), "--into", out.toString());
    assertEquals(0, run.exitCode(), run.out() + run.err());
    assertTrue(Files.exists(out.resolve("orders-3")));
  }
}
