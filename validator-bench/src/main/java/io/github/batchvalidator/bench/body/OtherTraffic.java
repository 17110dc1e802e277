// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.body;

import io.github.batchvalidator.bench.workload.Memory;
import io.github.batchvalidator.bench.workload.PayloadKind;
import io.github.batchvalidator.bench.workload.RecordShape;
import io.github.batchvalidator.bench.workload.Workload;
import io.github.batchvalidator.rule.Codec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The batches that a contender validates in the same JVM before and between the batches that are
 * timed. The JIT compiles a loop for the batches that it saw first.
 */
public enum OtherTraffic {
  /** No other batches. */
  NONE,

  /** Batches of all codecs and payloads, those with the smallest records first. */
  SMALL_FIRST,

  /** The same batches in the opposite order. */
  LARGE_FIRST;

  private static final int BATCHES = 16;

  /** Prepares the work of a contender on these batches, one body per kind. */
  public List<Body> open(Contender contender) {
    List<Body> bodies = new ArrayList<>();
    if (this == NONE) {
      return bodies;
    }
    for (Codec codec : Codec.values()) {
      for (Workload each : workloads(codec)) {
        bodies.add(contender.open(each.batches(BATCHES)));
      }
    }
    if (this == LARGE_FIRST) {
      Collections.reverse(bodies);
    }
    return bodies;
  }

  private static List<Workload> workloads(Codec codec) {
    return List.of(
        Workload.json(codec, 1000, 100),
        Workload.json(codec, 1, 1024),
        new Workload(
            codec, 15, 1024, PayloadKind.JSON, RecordShape.KEY_AND_TWO_HEADERS, Memory.HEAP),
        Workload.json(codec, 10, 1024).of(PayloadKind.INCOMPRESSIBLE),
        Workload.json(codec, 125, 1024).of(PayloadKind.LOG_LINES),
        Workload.json(codec, 20, 10240));
  }
}
