// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent;

import java.util.ArrayList;
import java.util.List;

/** A log that records the messages of the agent. */
final class RecordedLog extends BrokerLog {
  private final List<String> infos = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  @Override
  void info(String sentence) {
    infos.add(sentence);
  }

  @Override
  void warn(String sentence) {
    warnings.add(sentence);
  }

  List<String> infos() {
    return infos;
  }

  List<String> warnings() {
    return warnings;
  }
}
