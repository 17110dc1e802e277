// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.bench.broker;

import io.github.batchvalidator.bench.report.LiveFigure;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The figures of one broker in one slot.
 *
 * @param values of the figures
 * @param latencies from which the percentiles of several slots are computed; empty in a profile
 */
record SlotFigures(Map<LiveFigure, Double> values, Histogram latencies) {}
