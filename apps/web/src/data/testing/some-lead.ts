import type { Lead } from "@leadline/contract/leads";

export const bob: Lead = {
  id: "bob",
  firstName: "Bob",
  lastName: "Stone",
  email: "bob@stone.example",
  phone: "+12025550100",
  phoneNumber: "+12025550100",
  company: "",
  jobTitle: "",
  crmUrl: null,
  status: "New",
  followUpOn: null,
  integrationId: null,
  owner: null,
  lastCalledAt: null,
  nextStep: "",
  doNotCall: false,
  customFields: [],
  createdAt: "2026-01-14T10:00:00Z",
  updatedAt: "2026-01-14T10:00:00Z",
};
