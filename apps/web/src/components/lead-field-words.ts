import type { LeadHistoryField } from "@leadline/contract/lead-timeline";

export const leadFieldWords: Record<LeadHistoryField, string> = {
  firstName: "First name",
  lastName: "Last name",
  email: "Email",
  phone: "Phone",
  company: "Company",
  jobTitle: "Job title",
  status: "Status",
  owner: "Owner",
  nextStep: "Next step",
  followUpOn: "Call back on",
  followUpOwner: "Who calls back",
};
