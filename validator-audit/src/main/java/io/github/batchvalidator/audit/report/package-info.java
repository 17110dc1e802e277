// SPDX-License-Identifier: Apache-2.0

/** What an audit finds, and the interface of its reports. */
package io.github.batchvalidator.audit.report;
