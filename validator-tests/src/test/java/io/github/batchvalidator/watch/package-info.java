// SPDX-License-Identifier: Apache-2.0

/** Tests of the counts and events that are visible from outside. */
package io.github.batchvalidator.watch;
