import type { CrmCall } from "./crm.ts";

/** "Call to +12025550143" */
export const callTitle = ({ direction, phoneNumber }: CrmCall): string =>
  `${direction === "outbound" ? "Call to" : "Call from"} ${phoneNumber}`;

/** The note, outcome, rep and link as plain text, for a CRM that stores them in one field. */
export const callText = ({ note, outcome, rep, link }: CrmCall): string =>
  [note, outcome && `Outcome: ${outcome}`, rep && `By ${rep}`, link].filter(Boolean).join("\n\n");
