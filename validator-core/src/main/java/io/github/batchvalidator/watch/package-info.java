// SPDX-License-Identifier: Apache-2.0

/**
 * What can be seen of the validation from outside: a listener that is told of each batch, counts,
 * and events of the JDK's flight recorder.
 *
 * <p>Reads verdicts and nothing else; nothing here runs between entry and verdict.
 */
package io.github.batchvalidator.watch;
