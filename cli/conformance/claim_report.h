/* SPDX-License-Identifier: BSD-3-Clause */
/* Claims as reports of a child (cli/aside.h), a word, and what belongs to it behind a blank:
 *
 *     good CLAIM          it holds
 *     bad CLAIM           it does not
 *     skip CLAIM: REASON
 *     unproven CLAIM: REASON
 *     begin WHAT          what is done next */
#ifndef COHORT_CLI_CONFORMANCE_CLAIM_REPORT_H
#define COHORT_CLI_CONFORMANCE_CLAIM_REPORT_H

/* Report to this pipe from now on. */
void claim_report_to(int reports);

#endif
