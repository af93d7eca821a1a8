import type { AdapterRoute } from "@leadline/adapter-kit/adapter-route";
import type { CrmSandbox } from "@leadline/adapter-kit/crm";
import type { SandboxResponse, SandboxRequest } from "./exchange.ts";
import type { Fault, Faults } from "./faults.ts";
import type { WebhookTarget } from "./send-webhooks.ts";

export interface SandboxCall {
  id: string;
  callSid: string;
  leadExternalId: string;
  /** Null if the CRM has no such field; the note contains it. */
  direction: "outbound" | "inbound" | null;
  seconds: number | null;
  note: string;
}

/** By its usual fields. The status is the CRM's own. */
export interface SandboxLead {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  company: string;
  jobTitle: string;
  nextStep: string;
  status: string;
  /** The owner's email. */
  owner: string;
}

export interface SandboxCrm extends CrmSandbox {
  /** The consent page and the pages of records, for the app to serve below `browserPath`. */
  routes: readonly AdapterRoute[];
  /** Same as those routes. */
  answerBrowser(request: SandboxRequest): SandboxResponse;
  /** Acts as the CRM's own users: REST without a token. */
  ask(request: { method: string; path: string; body?: object }): SandboxResponse;
  leadCount(): number;
  /** What the CRM's users see and do. `list` is in the order of creation. */
  leads: {
    list(): SandboxLead[];
    add(lastName: string): void;
    rename(id: string, lastName: string): void;
    change(id: string, change: Partial<Omit<SandboxLead, "id">>): void;
    remove(id: string): void;
    /** Makes a contact of it, where the CRM has leads and contacts. */
    convert?(id: string): void;
  };
  /** Matches requests that find, read or write a single lead. */
  leadPath: RegExp;
  /** Matches requests that read leads. */
  leadsPath: RegExp;
  /** Leadline's calls in this CRM. */
  writtenCalls(): SandboxCall[];
  /** Reports of changes go there from now on. A CRM without webhooks ignores it. */
  sendWebhooks(target: WebhookTarget | null): void;
  /** Deletes it like one of the CRM's users. */
  deleteCall(id: string): void;
  /** Matches requests that write or find calls. */
  callsPath: RegExp;
  /** From now on, the customer's other apps leave this many requests. Null: they send none. */
  leaveRequests(left: number | null): void;
  /** How the CRM says that a limit is reached, and how long it then lasts. Null: the CRM doesn't say. */
  limitFaults: readonly (readonly [name: string, fault: Fault, lastsMs: number | null])[];
  faults: Faults;
  /** From now on, another of the customer's people answers the consent page, where an account is a person. */
  signInColleague?(): void;
  expireAccess(): void;
  endAllGrants(): void;
  close(): Promise<void>;
}
export type StartSandboxCrm = (options: SandboxCrmOptions) => Promise<SandboxCrm>;
export interface SandboxCrmOptions {
  /** Where consents and changes are stored. Null: in memory only. */
  file: string | null;
  /** The address in the browser, if it differs from the one the server sees. */
  publicUrl: URL | null;
  /** For tests, which ask more often than people's syncs do: it never says that a limit is reached. */
  isUnlimited?: boolean;
  /** For measurements, where the sandbox can be larger. */
  size?: SandboxSize;
}
export interface SandboxSize {
  leads: number;
  /** The most records of an answer, which may be fewer than are asked for. */
  largestPage: number;
}
