// SPDX-License-Identifier: Apache-2.0

/** Tests of the command, and access to the parts of an audit for other tests. */
package io.github.batchvalidator.spark;
