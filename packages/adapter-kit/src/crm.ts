import type { CrmField, CrmMapping, CrmSource } from "@leadline/contract/crm-mapping";
import type { LeadStatus } from "@leadline/contract/leads";
import type { z } from "zod";
import type { AdapterRoute } from "./adapter-route.ts";
import type { CrmLeadWriter } from "./crm-lead-writer.ts";
import type { CrmWebhooks } from "./crm-webhooks.ts";
import { storableText } from "./storable-text.ts";

/** What a CRM supports beyond returning leads and changed leads. Screens hide what it doesn't. */
export interface CrmCapabilities {
  /** It reports deleted leads. */
  deletions: boolean;
  /**
   * No two records of all its customers have the same id. A lead then belongs to its record whoever connects the CRM, and
   * not to the account, which may be the person who allowed access.
   */
  globalIds: boolean;
}

/** A lead as read from the CRM. Fields without a value are empty. */
export interface CrmLead {
  externalId: string;
  firstName: string;
  lastName: string;
  email: string;
  /** As typed in the CRM. */
  phone: string;
  company: string;
  jobTitle: string;
  status: LeadStatus;
  /** The value the status was read from, as written by statusValueOf. Empty if no field is mapped. */
  statusValue: string;
  /** What to do next, by nextStepOf. */
  nextStep?: string;
  /** The lead's owner in the CRM, with empty text for what the CRM doesn't report. Null if there is none. */
  owner?: CrmOwner | null;
  /** The record's page, as in WrittenCrmCall. Null if the CRM doesn't report it. */
  url: string | null;
  /** This state of the record, for CrmLeadChange. Missing if the CRM can't write on a condition. */
  version?: string;
  /** Other fields that the mapping keeps, in its order, without empty ones. */
  customFields?: CrmCustomField[];
}

/** A person, or a team without an email. */
export interface CrmOwner {
  name: string;
  email: string;
}

export interface CrmCustomField {
  name: string;
  value: string;
}

/** A record that can't become a lead. */
export interface CrmLeftOut {
  externalId: string;
  /** A sentence for the rep. */
  why: string;
  url: string | null;
}

export interface CrmLeadPage {
  leads: CrmLead[];
  /** External ids of deleted leads. */
  deleted: string[];
  leftOut: CrmLeftOut[];
  /** How many records the whole read has, if the CRM reports it. */
  total: number | null;
  /** Opaque. Store it in the same transaction as the page, so that a read resumes there, even after a crash. */
  cursor: string;
  /** There is nothing more for now. The cursor then starts the next read. */
  done: boolean;
  /**
   * For how long before its request the CRM may have prepared this page: changes since then may be missing from it. They
   * are in a later read. Missing: it hasn't.
   */
  preparedMs?: number;
  /** The CRM isn't ready yet, and nothing was read: ask again with the same cursor after a while. */
  wait?: { ms: number; why: string };
}

/** Leads requested by external id. One that was deleted or merged into another is in `deleted`. */
export type CrmLeadSelection = Pick<CrmLeadPage, "leads" | "leftOut" | "deleted">;
/** The most ids that `readSome` is called with. */
export const maxLeadsAtOnce = 100;

/** Splits a page's records into leads and those left out. */
export const sortOut = (records: readonly (CrmLead | CrmLeftOut)[]): Pick<CrmLeadPage, "leads" | "leftOut"> => ({
  leads: records.filter((record): record is CrmLead => !("why" in record)),
  leftOut: records.filter((record): record is CrmLeftOut => "why" in record),
});

/** The tokens granted by the CRM. Secret: stored encrypted, serialised as JSON. */
export interface CrmGrant {
  accessToken: string;
  /** Null if the CRM issued none. Access then ends with the access token. */
  refreshToken: string | null;
  /** When the access token expires (ISO 8601). Null if the CRM doesn't report it. */
  expiresAt: string | null;
  /** The CRM customer that granted access, so that a cursor is never used with another customer's data. */
  accountId: string | null;
  /** Data that only the adapter understands, such as the API's address. The adapter validates it on each use. */
  own: Readonly<Record<string, string>>;
}

/**
 * workspace-refused: the input is not a workspace of this CRM. grant-refused: a code or refresh token is invalid or
 * revoked; connect again. access-refused: the access token is invalid; refresh it. limited, unreachable: retry later.
 * refused: retrying won't help.
 */
export type CrmFault = "workspace-refused" | "grant-refused" | "access-refused" | "limited" | "unreachable" | "refused";

/** `message` is for a rep: what happened and what to do next, without secrets. */
export class CrmError extends Error {
  override name = "CrmError";
  readonly fault: CrmFault;
  /** When the CRM asks us to retry, if it says so. */
  readonly retryAfterMs: number | null;

  constructor(fault: CrmFault, message: string, options: { retryAfterMs?: number | null; cause?: unknown } = {}) {
    // It may quote the CRM.
    super(storableText(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.fault = fault;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** A finished call, as written to a CRM. */
export interface CrmCall {
  /** Ours. It identifies the call in the CRM. */
  callSid: string;
  leadExternalId: string;
  direction: "outbound" | "inbound";
  /** The far end, E.164. */
  phoneNumber: string;
  /** ISO 8601. */
  startedAt: string;
  /** The day in the organisation's time zone, as YYYY-MM-DD. */
  startedOn: string;
  wasAnswered: boolean;
  /** Whole seconds from answer to end. */
  seconds: number;
  /** Empty if none was chosen. */
  outcome: string;
  note: string;
  /** Empty if nobody answered. */
  rep: string;
  /** The page of the lead and its calls. Null if the installation's public address isn't configured. */
  link: string | null;
}
export interface WrittenCrmCall {
  externalId: string;
  /** The record's page: an absolute URL, or a path on this server if the CRM is the sandbox. */
  url: string;
}

/** Writes calls to leads' records. No CRM supports idempotency keys, so call `find` before a retry. */
export interface CrmCalls {
  /** Null if it doesn't exist. */
  find(grant: CrmGrant, call: CrmCall): Promise<WrittenCrmCall | null>;
  create(grant: CrmGrant, call: CrmCall): Promise<WrittenCrmCall>;
  /** False if it was deleted in the CRM. */
  update(grant: CrmGrant, externalId: string, call: CrmCall): Promise<boolean>;
}

/**
 * How many requests the CRM still accepts for the connected account in the current window. The customer's other apps use
 * them up too.
 */
export interface CrmLimit {
  left: number;
  most: number;
  windowMs: number;
}

/** An authorisation in progress (RFC 6749, section 4.1, with PKCE, RFC 7636). */
export interface CrmLogin {
  workspace: string | null;
  /** Where the CRM redirects the browser. */
  callbackUrl: string;
}

/** All leads at once, prepared by the CRM: faster than page by page if there are many. */
export interface CrmBulk {
  /** Preparing takes a while; with fewer leads, reading page by page is faster. */
  fromLeads: number;
  /**
   * Asks the CRM to prepare every lead. Returns the cursor from which readLeads reads them; when they are read, it
   * continues with changes like any other. Null if the CRM doesn't offer this to the connected account.
   */
  begin(grant: CrmGrant, mapping: CrmMapping | null): Promise<string | null>;
}

/** The kinds of records that leads can come from, with their fields. */
export interface CrmSources {
  list(grant: CrmGrant): Promise<CrmSource[]>;
  describeFields(grant: CrmGrant, source: string): Promise<CrmField[]>;
}

export interface Crm {
  /** Served below `/api/adapters/<id>`. */
  routes?: readonly AdapterRoute[];
  /**
   * What the administrator must set to register the installation with the vendor; null if it is. Until then, only the
   * sandbox can be connected.
   */
  notRegistered: string | null;
  /**
   * Normalises what a person typed or pasted into the workspace field. Null if the CRM has one address for all
   * customers. The sandbox's name selects the sandbox. Throws workspace-refused.
   */
  readWorkspace(typed: string): string | null;
  /** Where the browser is sent to allow access. Throws `refused` if the installation lacks what the CRM needs. */
  authoriseUrl(login: CrmLogin & { state: string; codeChallenge: string }): string;
  exchangeCode(login: CrmLogin & { code: string; codeVerifier: string }): Promise<CrmGrant>;
  /** The result may contain a new refresh token. Store it before use: the former one no longer works. */
  refresh(workspace: string | null, grant: CrmGrant): Promise<CrmGrant>;
  /**
   * Permanently gives up the access and whatever was set up through it. Called when an integration or its organisation
   * is deleted, and when a new connection isn't kept.
   */
  revoke(workspace: string | null, grant: CrmGrant): Promise<void>;
  sources: CrmSources;
  /**
   * The mapping in use until one is saved. Null if customers define their own kinds of records: nothing is read without
   * a mapping.
   */
  defaultMapping: CrmMapping | null;
  /** Reads the page after the cursor. Null, or a cursor of another source, starts from the beginning. */
  readLeads(grant: CrmGrant, cursor: string | null, mapping: CrmMapping | null): Promise<CrmLeadPage>;
  /** Null if the CRM can't prepare all leads at once. A reading from nothing uses it if there are many leads. */
  bulk: CrmBulk | null;
  /** Reads up to maxLeadsAtOnce leads in their current state. */
  readSome(grant: CrmGrant, externalIds: readonly string[], mapping: CrmMapping | null): Promise<CrmLeadSelection>;
  /** The limit nearest to its end, as last reported by the CRM. Null if it didn't lately. */
  readLimit(grant: CrmGrant): Promise<CrmLimit | null>;
  /** Null if the CRM doesn't report changes by itself. */
  webhooks: CrmWebhooks | null;
  calls: CrmCalls;
  leads: CrmLeadWriter;
  close(): void;
}

/** The built-in CRM that replaces the vendor's servers on this machine. */
export interface CrmSandbox {
  /** The workspace name that selects it, under a reserved domain (RFC 6761). */
  domain: string;
  /** Its address for the server, on loopback. */
  address: URL;
  /** The path of its consent page, below the app's own address. */
  browserPath: string;
  clientId: string;
  /** Set for an app that authenticates with a secret. */
  clientSecret: string | null;
}

/** For a CRM with one address per customer: the field in the form that adds an integration. */
export interface CrmWorkspaceField {
  label: string;
  /** Where to find it. */
  help: string;
  /** Shorter input, after trimming, gets the error `missing` before anything is sent. */
  minLength: number;
  missing: string;
}

/** What a CRM's folder exports as `crm` from its server.ts. */
export interface CrmModule<Settings extends z.ZodObject = z.ZodObject> {
  /** Stored with each integration. */
  id: string;
  name: string;
  capabilities: CrmCapabilities;
  /** The installation's settings, by environment variable. */
  settings: Settings;
  /** Null if the CRM has one address for all customers. */
  workspaceField: CrmWorkspaceField | null;
  /** What people should know before they let Leadline write leads here. Sentences. */
  writingHelp: string;
  /** `sandbox`: this CRM's sandbox, if it is running. */
  open(settings: z.output<Settings>, options: { sandbox: CrmSandbox | null }): Crm;
}

/** settings: the environment variables that configure the vendor's app, as in a sentence. */
export const whatToSet = (name: string, settings: string): string =>
  `Leadline isn’t registered with ${name} yet. The administrator of this server must set ${settings}.`;
