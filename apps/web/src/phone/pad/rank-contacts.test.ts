import type { Lead } from "@leadline/contract/leads";
import { expect, test } from "vitest";
import { rankContacts } from "./rank-contacts.ts";

const lead = (firstName: string, lastName: string, email: string, phoneNumber: string | null): Lead => ({
  id: lastName,
  firstName,
  lastName,
  email,
  phone: phoneNumber ?? "none",
  phoneNumber,
  status: "New",
  followUpOn: null,
  followUpTime: null,
  followUpOwner: null,
  integrationId: null,
  doNotCall: false,
  customFields: [],
  company: "",
  jobTitle: "",
  owner: null,
  lastCalledAt: null,
  nextStep: "",
  crmUrl: null,
  createdAt: "2026-01-14T10:00:00Z",
  updatedAt: "2026-01-14T10:00:00Z",
});
const leads = [
  lead("Per", "Nilsen", "per@stone.example", "+12025550170"),
  lead("Ada", "Featherstone", "ada@example.com", "+12025550171"),
  lead("Bob", "Stone", "bob@example.com", "+12025550100"),
  lead("Stone", "Byron", "byron@example.com", "+442079460018"),
  lead("Nix", "Stone", "nix@example.com", null),
];
const found = (typed: string) =>
  rankContacts(leads, typed).map(({ contact, reason }) => `${contact.lastName} ${reason}`);

test("leads with that name come before leads that only have it in their email domain, and those without a number are left out", () => {
  expect(found("stone")).toEqual(["Stone name-begins", "Byron name-begins", "Featherstone name", "Nilsen email"]);
});
test("each of several words may start the first or the last name", () => {
  expect(found("sto b")[0]).toBe("Stone name-begins");
});
test("a name typed without its accents matches", () => {
  const müller = lead("Zoë", "Müller", "z@example.com", "+12025550100");
  expect(rankContacts([müller], "muller zoe")).toEqual([{ contact: müller, reason: "name-begins" }]);
});
test("digits match in the number before the email", () => {
  expect(found("2025550100")[0]).toBe("Stone phone");
});
