// SPDX-License-Identifier: Apache-2.0

/** The checksums, each against one that is computed anew. */
package io.github.batchvalidator.format;
