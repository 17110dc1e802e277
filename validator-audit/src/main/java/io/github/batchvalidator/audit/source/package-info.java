// SPDX-License-Identifier: Apache-2.0

/** Where segments, partitions and the files beside them come from. */
package io.github.batchvalidator.audit.source;
