// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.agent;

import java.util.ArrayList;
import java.util.List;

/** Keeps what the agent tells the operator. */
final class Said extends BrokerLog {
  private final List<String> good = new ArrayList<>();
  private final List<String> bad = new ArrayList<>();

  @Override
  void info(String sentence) {
    good.add(sentence);
  }

  @Override
  void warn(String sentence) {
    bad.add(sentence);
  }

  List<String> good() {
    return good;
  }

  List<String> bad() {
    return bad;
  }
}
