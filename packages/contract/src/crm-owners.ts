import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, IdParams } from "./identifiers.ts";

/** The most that a list shows. */
export const maxCrmOwners = 1_000;

const mapsTo = z
  .enum(["email", "member", "no-member"])
  .describe(
    "email: the member with the same email, if there is one. no-member: leads show the owner's name in the CRM",
  );

export const CrmOwner = z.object({
  id: z.string().describe("The email in lower case, or the name if the CRM has no email"),
  name: z.string(),
  email: z.string(),
  mapsTo,
  userId: Id.nullable().describe("The chosen member, even a former one; null unless mapsTo is member"),
  userIdByEmail: Id.nullable().describe("The member with the same email; null if nobody has it"),
});
export type CrmOwner = z.infer<typeof CrmOwner>;

export const CrmOwnerChoice = z.object({
  id: z.string().max(1_000, "That is too long for an owner."),
  mapsTo,
  userId: Id.nullish().describe("A member of the organisation; required if mapsTo is member"),
});
export type CrmOwnerChoice = z.infer<typeof CrmOwnerChoice>;

export const listCrmOwners = endpoint({
  method: "GET",
  path: "/v1/integrations/{id}/owners",
  summary: "List the owners that leads of an integration have had in the CRM, with their members",
  access: "admin",
  audit: null,
  params: IdParams,
  success: [200, z.array(CrmOwner)],
  problems: ["not-found"],
});
export const saveCrmOwners = endpoint({
  method: "PUT",
  path: "/v1/integrations/{id}/owners",
  summary: "Choose the members for owners in the CRM; their leads are reassigned without another sync",
  access: "admin",
  audit: "integration.owners-mapped",
  params: IdParams,
  body: z.object({ owners: z.array(CrmOwnerChoice).max(maxCrmOwners, `Change at most ${maxCrmOwners} owners.`) }),
  success: [204, null],
  problems: ["not-found"],
});
