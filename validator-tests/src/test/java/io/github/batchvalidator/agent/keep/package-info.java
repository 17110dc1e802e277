// SPDX-License-Identifier: Apache-2.0

/** Tests of the guard that keeps what recovery cuts. */
package io.github.batchvalidator.agent.keep;
