import type { CrmField, CrmMapping, CrmSource } from "@leadline/contract/crm-mapping";
import type { LeadStatus } from "@leadline/contract/leads";
import type { z } from "zod";
import type { AdapterRoute } from "./adapter-route.ts";
import type { CrmWebhooks } from "./crm-webhooks.ts";

/** What a CRM can do beyond answering with its leads, and with what has changed. What it cannot do the screens leave out. */
export interface CrmCapabilities {
  /** deletions: it tells which leads were deleted. */
  deletions: boolean;
}

/** A lead as the CRM has it. Empty where the CRM has nothing. */
export interface CrmLead {
  externalId: string;
  firstName: string;
  lastName: string;
  email: string;
  /** As the CRM's people typed it. */
  phone: string;
  company: string;
  jobTitle: string;
  status: LeadStatus;
  /** What it was read from, by statusValueOf: empty where that is no field. */
  statusValue: string;
  /** Who owns it there, with an empty text for what the CRM does not tell; null where nobody does. */
  owner?: { name: string; email: string } | null;
  /** Where a person sees the record, as in WrittenCrmCall; null where the CRM does not tell. */
  url: string | null;
  /** What the mapping wants kept besides, in its order; without those that are empty. */
  customFields?: CrmCustomField[];
}

export interface CrmCustomField {
  name: string;
  value: string;
}

/** A record that cannot become a lead. */
export interface CrmLeftOut {
  externalId: string;
  /** A sentence for a rep. */
  why: string;
  url: string | null;
}

export interface CrmLeadPage {
  leads: CrmLead[];
  /** External ids of leads that are gone there. */
  deleted: string[];
  leftOut: CrmLeftOut[];
  /** How many records the whole reading brings, where the CRM tells. */
  total: number | null;
  /** Opaque. Keep it in the transaction that keeps the page: a reading goes on from there, after a kill too. */
  cursor: string;
  /** Nothing more for now; the cursor then starts the next reading. */
  done: boolean;
}

/** Leads that were asked for by their external ids. One that is gone, or became part of another, is `deleted`. */
export type CrmLeadSelection = Pick<CrmLeadPage, "leads" | "leftOut" | "deleted">;
/** As many as `readSome` is ever asked for at once. */
export const mostLeadsAtOnce = 100;

/** The leads of a page, and what is left out of it. */
export const sortOut = (records: readonly (CrmLead | CrmLeftOut)[]): Pick<CrmLeadPage, "leads" | "leftOut"> => ({
  leads: records.filter((record): record is CrmLead => !("why" in record)),
  leftOut: records.filter((record): record is CrmLeftOut => "why" in record),
});

/** What the CRM granted. Secret; kept encrypted, and serialised as JSON. */
export interface CrmGrant {
  accessToken: string;
  /** Null where the CRM gave none: then access ends with the access token. */
  refreshToken: string | null;
  /** When the access token runs out (ISO 8601); null where the CRM does not tell. */
  expiresAt: string | null;
  /** Which of its customers granted it, so that a cursor is never used against another's data. */
  accountId: string | null;
  /** What the adapter alone understands, such as where the API answers. It checks it whenever it reads it. */
  own: Readonly<Record<string, string>>;
}

/**
 * workspace-refused: what was typed names no workspace of its. grant-refused: a code or refresh token is not, or no longer, good: connect again.
 * access-refused: the access token is not good: refresh. limited, unreachable: try again later. refused: trying again will not help.
 */
export type CrmFault = "workspace-refused" | "grant-refused" | "access-refused" | "limited" | "unreachable" | "refused";

/** `message` is written for a rep: it says what happened and what to do next, and holds no secret. */
export class CrmError extends Error {
  override name = "CrmError";
  readonly fault: CrmFault;
  /** When the CRM asks to come back, where it says so. */
  readonly retryAfterMs: number | null;

  constructor(fault: CrmFault, message: string, options: { retryAfterMs?: number | null; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.fault = fault;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** A finished call, as it is told to a CRM. */
export interface CrmCall {
  /** Ours. What was written is found again by it. */
  callSid: string;
  leadExternalId: string;
  direction: "outbound" | "inbound";
  /** The other end, E.164. */
  phoneNumber: string;
  /** ISO 8601. */
  startedAt: string;
  wasAnswered: boolean;
  /** Whole seconds from the answer to the end. */
  seconds: number;
  /** Empty where nobody chose one. */
  outcome: string;
  note: string;
  /** Empty where nobody took the call. */
  rep: string;
  /** Where the lead and its calls are shown; null where this installation does not know its address. */
  link: string | null;
}
export interface WrittenCrmCall {
  externalId: string;
  /** Where a person sees it: absolute, or a path of our own where the CRM is the sandbox. */
  url: string;
}

/** Calls, written on the records of leads. No CRM takes an idempotency key: whoever tries again asks `find` first. */
export interface CrmCalls {
  /** Null: it is not there. */
  find(grant: CrmGrant, call: CrmCall): Promise<WrittenCrmCall | null>;
  create(grant: CrmGrant, call: CrmCall): Promise<WrittenCrmCall>;
  /** False if it was deleted in the CRM. */
  update(grant: CrmGrant, externalId: string, call: CrmCall): Promise<boolean>;
}

/** An authorisation under way (RFC 6749, section 4.1, with PKCE, RFC 7636). */
export interface CrmLogin {
  workspace: string | null;
  /** Where the CRM sends the browser back to. */
  callbackUrl: string;
}

/** The kinds of records that leads can come from, and what each consists of. */
export interface CrmSources {
  list(grant: CrmGrant): Promise<CrmSource[]>;
  describeFields(grant: CrmGrant, source: string): Promise<CrmField[]>;
}

export interface Crm {
  /** Served below `/api/adapters/<id>`. */
  routes?: readonly AdapterRoute[];
  /** Whether the installation has an app at the vendor; without one only the sandbox can be connected. */
  registered: boolean;
  /**
   * What is kept and shown of what a person typed or pasted into the workspace field: nothing where the CRM asks for none.
   * Null: the CRM has one address for everybody. The sandbox's name leads to the sandbox. Throws workspace-refused.
   */
  readWorkspace(typed: string): string | null;
  /** Where the browser goes to allow access. Throws `refused` where this installation lacks what the CRM needs. */
  authoriseUrl(login: CrmLogin & { state: string; codeChallenge: string }): string;
  exchangeCode(login: CrmLogin & { code: string; codeVerifier: string }): Promise<CrmGrant>;
  /** The answer may hold another refresh token: persist it before use, for the former one is dead. */
  refresh(workspace: string | null, grant: CrmGrant): Promise<CrmGrant>;
  /**
   * Gives up the access, at once and for good, with whatever was set up there through it. Called when an integration or its
   * organisation is deleted, and when a connection isn't kept.
   */
  revoke(workspace: string | null, grant: CrmGrant): Promise<void>;
  sources: CrmSources;
  /** What is read until somebody saves a mapping. Null where its customers make their own kinds of records: nothing is read without one. */
  defaultMapping: CrmMapping | null;
  /** The next page after the cursor; null starts from nothing. A cursor of another source starts from nothing too. */
  readLeads(grant: CrmGrant, cursor: string | null, mapping: CrmMapping | null): Promise<CrmLeadPage>;
  /** Up to mostLeadsAtOnce leads, as they are now. */
  readSome(grant: CrmGrant, externalIds: readonly string[], mapping: CrmMapping | null): Promise<CrmLeadSelection>;
  /** Null if the CRM doesn't report changes by itself. */
  webhooks: CrmWebhooks | null;
  calls: CrmCalls;
  close(): void;
}

/** The built-in CRM, which answers on this machine in place of the vendor's servers. */
export interface CrmSandbox {
  /** The workspace that leads to it: a name that exists nowhere else (RFC 6761). */
  domain: string;
  /** Where the server reaches it, on loopback. */
  address: URL;
  /** Where a browser reaches its consent page, below the app's own address. */
  browserPath: string;
  clientId: string;
  /** Of an app that proves itself by one. */
  clientSecret: string | null;
}

/** Where a CRM has an address for each customer: what the form that adds an integration asks a person for. */
export interface CrmWorkspaceField {
  label: string;
  /** Where to find it. */
  help: string;
  /** Fewer characters, trimmed, are answered with `missing` before anything is sent. */
  minLength: number;
  missing: string;
}

/** What a CRM's folder exports as `crm` from its server.ts. */
export interface CrmModule<Settings extends z.ZodObject = z.ZodObject> {
  /** Stored with each integration. */
  id: string;
  name: string;
  capabilities: CrmCapabilities;
  /** Of the installation, by the names of its environment variables. */
  settings: Settings;
  /** Null where the CRM asks for none: it has one address for everybody. */
  workspaceField: CrmWorkspaceField | null;
  /** `sandbox`: the one that stands for this CRM, where it started along. */
  open(settings: z.output<Settings>, options: { sandbox: CrmSandbox | null }): Crm;
}
