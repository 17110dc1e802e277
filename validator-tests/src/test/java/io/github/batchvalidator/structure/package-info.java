// SPDX-License-Identifier: Apache-2.0

/** Tests of the dependencies between compiled classes, and of how the core's code looks. */
package io.github.batchvalidator.structure;
