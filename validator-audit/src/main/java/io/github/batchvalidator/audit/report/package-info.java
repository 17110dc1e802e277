// SPDX-License-Identifier: Apache-2.0

/** The results of an audit, and the interface of its reports. */
package io.github.batchvalidator.audit.report;
