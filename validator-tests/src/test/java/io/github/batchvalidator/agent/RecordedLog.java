// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent;

import java.util.ArrayList;
import java.util.List;

/** A log that records the messages of the agent. */
public final class RecordedLog extends BrokerLog {
  private final List<String> infos = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  @Override
  public void info(String sentence) {
    infos.add(sentence);
  }

  @Override
  public void warn(String sentence) {
    warnings.add(sentence);
  }

  public List<String> infos() {
    return infos;
  }

  public List<String> warnings() {
    return warnings;
  }
}
