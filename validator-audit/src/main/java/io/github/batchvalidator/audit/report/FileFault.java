// SPDX-License-Identifier: Apache-2.0

package io.github.batchvalidator.audit.report;

import java.io.Serializable;

/**
 * A fault or finding of a file that is not the current segment, such as an object of a tiered
 * storage.
 *
 * @param file the name of the file
 * @param fault the fault
 */
public record FileFault(String file, Fault fault) implements Serializable {}
