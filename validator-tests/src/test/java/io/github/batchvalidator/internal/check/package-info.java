// SPDX-License-Identifier: Apache-2.0

/** Rule by rule: an example that passes, one that does not, and where each rule is written down. */
package io.github.batchvalidator.internal.check;
