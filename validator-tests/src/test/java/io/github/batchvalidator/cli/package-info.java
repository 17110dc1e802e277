// SPDX-License-Identifier: Apache-2.0

/** Tests of the check command: files in, exit code and reports out. */
package io.github.batchvalidator.cli;
