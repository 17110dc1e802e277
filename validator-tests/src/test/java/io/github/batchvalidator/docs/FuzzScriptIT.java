// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.docs;

import io.github.batchvalidator.cli.ScriptSignal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No JVM of {@code scripts/fuzz} outlives the script. */
class FuzzScriptIT extends ThrowawayRepository {
  @ParameterizedTest
  @CsvSource({"TERM, 143", "INT, 130"})
  void aSignalToTheScriptEndsJava(String signal, int code) throws Exception {
    copy("scripts/common.sh", "scripts/fuzz");
    write("validator-tests/src/test/resources/fuzz/TARGET/input", "");
    write("validator-tests/target/class-path", "a.jar");
    commit();
    replaceCommand("mvn", "");
    replaceCommand("java", "exec sleep 60");
    ScriptSignal.assertEndsJava(builder("scripts/fuzz"), signal, code);
  }
}
