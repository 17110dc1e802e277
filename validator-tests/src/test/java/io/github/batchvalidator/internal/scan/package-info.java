// SPDX-License-Identifier: Apache-2.0

/** The cursors by themselves. */
package io.github.batchvalidator.internal.scan;
