import { randomUUID } from "node:crypto";
import type { Endpoint } from "@leadline/contract/endpoint";
import { endpoints } from "@leadline/contract/endpoints";
import { expect } from "vitest";
import { z } from "zod";
import type { TestPerson } from "./test-app.ts";
import { crmIds } from "./test-crm.ts";
import { flatRate } from "./flat-rate.ts";

export const everyEndpoint = Object.entries<Endpoint>(endpoints);

/** The path with a CRM filled in, which is public; the remaining parameters identify someone's things. */
export const pathOf = ({ path }: Endpoint): string => path.replaceAll("{service}", crmIds[0] ?? "");
export const isAddressed = (endpoint: Endpoint): boolean => pathOf(endpoint).includes("{");

/**
 * The path with each of these identifiers in place of its first parameter. A further parameter is the one of its name, or
 * else the same.
 */
export const pathsWith = (endpoint: Endpoint, ids: Record<string, string>): string[] =>
  Object.values({ ...ids, unknown: randomUUID() }).map((id) =>
    pathOf(endpoint)
      .replace(/\{\w+\}/, id)
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? id),
  );

/** The fields of a query or body that identify a thing, judging by their schema. */
export function identifiersIn(schema: z.ZodType | undefined): string[] {
  if (schema === undefined) return [];
  const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const names = Object.entries(properties).filter(
    ([name, property]) =>
      /"uuid"|\^CA\[/.test(JSON.stringify(property)) || (/[a-z]Id$/.test(name) && !name.startsWith("is")),
  );
  return names.map(([name]) => name);
}

/** What a query needs besides an identifier. */
export const neededQueries: Record<string, Record<string, string>> = {
  listFiles: { entity: "lead" },
  listAvailableNumbers: { countryCode: "US" },
  readNumberRequirements: { countryCode: "US", number: "+12025550100" },
  exportStatementPdf: { month: "2026-01" },
  // The vendor is unknown, so nothing can be removed there.
  disconnectCarrierAccount: { leave: "everything" },
  readStatistics: { from: "2026-01-01", to: "2026-01-31" },
};

/** For each endpoint whose body identifies something, a body that is valid except for the owner. */
export const bodiesThatName: Record<string, (id: string) => Record<string, unknown>> = {
  startCall: (mediaConnectionId) => ({ phoneNumber: "+12025550100", mediaConnectionId }),
  attachCallMedia: (mediaConnectionId) => ({ mediaConnectionId }),
  answerCall: (mediaConnectionId) => ({ mediaConnectionId }),
  transferCall: (leadId) => ({ phoneNumber: "+12025550100", leadId }),
  consultInCall: (leadId) => ({ phoneNumber: "+12025550100", leadId }),
  setCallDisposition: (outcomeId) => ({ outcomeId }),
  orderCallOutcomes: (id) => ({ ids: [id] }),
  importRates: (carrierId) => ({ carrierId }),
  uploadFiles: (entityId) => ({ entity: "lead", entityId }),
  finishCrmLogin: (integrationId) => ({ code: "code", integrationId }),
  finishServiceLogin: (integrationId) => ({ code: "code", integrationId }),
  createLead: (ownerId) => ({
    firstName: "Bob",
    lastName: "Stone",
    email: "bob@stone.example",
    phone: "+12025550100",
    ownerId,
  }),
  updateLead: (ownerId) => ({ ownerId }),
  changeLeads: (ownerId) => ({ ids: [randomUUID()], action: { kind: "owner", ownerId } }),
  saveLeadView: (owner) => ({ name: "Theirs", filter: { owner } }),
  setFollowUp: (followUpOwnerId) => ({ followUpOn: "2126-01-01", followUpOwnerId }),
  saveCrmOwners: (userId) => ({ owners: [{ id: "Noor", mapsTo: "member", userId }] }),
  mergeLeads: (keepId) => ({ keepId, otherIds: [randomUUID()] }),
  chooseLeadOfCall: (leadId) => ({ leadId }),
  createLeadInCrm: (integrationId) => ({ integrationId }),
  updateVoicemailSettings: (greetingId) => ({ greetingId }),
  orderNumber: (accountId) => ({ accountId, countryCode: "US", number: "+12025550100" }),
  orderCarriers: (id) => ({ ids: [id] }),
  checkCarrier: (id) => ({ kind: "sip-trunk", settings: { host: "127.0.0.1:9", authentication: "ip" }, id }),
};

export function formOf(fields: Record<string, unknown>): FormData {
  const form = new FormData();
  form.append("file[]", new File(["%PDF-1.7"], "near.pdf"));
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  return form;
}

/** For each endpoint with a path parameter and a body, a valid body: a refusal is then due to the path. */
export const validBodies: Record<string, object> = {
  updateIntegration: { label: "Taken" },
  saveCrmMapping: {
    source: "1",
    fields: { fullName: "1", firstName: null, lastName: null, email: null, phone: null, status: null },
  },
  saveCrmOwners: { owners: [] },
  updateUser: { firstName: "Taken" },
  verifyCallerId: { code: "000000" },
  updateCarrier: { label: "Taken", inUse: false },
  saveRate: { prefix: "1", effectiveFrom: "2026-01-01", ...flatRate(100_000_000) },
  removeRate: {},
  changeMargin: { marginPercent: 1_000 },
  reconnectCarrierAccount: {},
  adoptNumber: { number: "+12025550100" },
  attachCallMedia: { offer: "v=0" },
  answerCall: { offer: "v=0" },
  transferCall: { phoneNumber: "+12025550100" },
  consultInCall: { phoneNumber: "+12025550100" },
  sendCallDigits: { digits: "1" },
  updateCall: { muted: true },
  renegotiateMediaConnection: { offer: "v=0" },
  updatePhoneNumber: { label: "Taken", isCallerId: true },
  setCallDisposition: { note: "Taken" },
  chooseLeadOfCall: { leadId: randomUUID() },
  createLeadInCrm: { integrationId: randomUUID() },
  setSendsChanges: { sendsChanges: true },
  updateCallOutcome: { name: "Taken" },
  markVoicemail: { heard: true },
  updateLead: { firstName: "Taken" },
  eraseLead: {},
  updateOrganisation: { name: "Taken" },
  updateMember: { role: "member" },
  readInvitationLink: {},
  updateMemberLimits: { concurrentCalls: 1 },
  addLeadNote: { text: "Taken" },
  setFollowUp: { followUpOn: "2031-01-01" },
  checkLeadImport: { mapping: { firstName: 0, lastName: 1, email: 2, phone: 3 } },
  startLeadImport: { mapping: { firstName: 0, lastName: 1, email: 2, phone: 3 } },
};

/** With the caller's password where it is taken: otherwise a refusal might be due to its absence. */
export function validBody(name: string, endpoint: Endpoint, caller?: TestPerson): object {
  const body = validBodies[name];
  expect(body, `${name} needs an entry in validBodies`).toBeDefined();
  expect(endpoint.body?.safeParse(body).success, `validBodies.${name} does not fit its schema`).toBe(true);
  return { ...body, ...passwordFor(endpoint, caller) };
}

export function passwordFor({ body }: Endpoint, caller: TestPerson | undefined): { currentPassword?: string } {
  const { properties = {} } = body ? z.toJSONSchema(body, { io: "input", unrepresentable: "any" }) : {};
  return caller && "currentPassword" in properties ? { currentPassword: caller.password } : {};
}

/** Whether the thing that the path names isn't there, or isn't the caller's. */
export function isRefused(
  name: string,
  answer: { statusCode: number; json(): { errors?: { field: string }[] } },
): boolean {
  const refusals = name === "renegotiateMediaConnection" ? [401, 403, 409] : [401, 403, 404];
  // An identifier of another kind may fail to parse; one of the right kind is refused because of its owner.
  const isWrongKind = answer.statusCode === 422 && answer.json().errors?.every(({ field }) => /id$|Sid$/i.test(field));
  return isWrongKind === true || refusals.includes(answer.statusCode);
}
