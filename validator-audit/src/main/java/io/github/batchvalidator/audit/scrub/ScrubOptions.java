// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.scrub;

import io.github.batchvalidator.audit.Settings;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to scrub, and how.
 *
 * @param directories log directories of brokers, or directories of partitions
 * @param rate the maximum rate of reads
 * @param once true to end after all partitions were checked
 * @param skipsUnchanged true to leave out segments that did not change since their last check
 * @param compacted true if all partitions are known to be compacted
 * @param stateFile the file that remembers what was checked, or null
 * @param metricsFile the file for Prometheus, or null
 * @param settings the windows and rules of the check
 */
public record ScrubOptions(
    List<Path> directories,
    ByteRate rate,
    boolean once,
    boolean skipsUnchanged,
    boolean compacted,
    @Nullable Path stateFile,
    @Nullable Path metricsFile,
    Settings settings) {}
