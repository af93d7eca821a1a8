import type { AdapterRoute } from "@leadline/adapter-kit/adapter-route";
import type { CrmSandbox } from "@leadline/adapter-kit/crm";
import type { SandboxAnswer, SandboxRequest } from "./exchange.ts";
import type { Faults } from "./faults.ts";
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

export interface SandboxCrm extends CrmSandbox {
  /** The consent page and the pages of records, for the app to serve below `browserPath`. */
  routes: readonly AdapterRoute[];
  /** As those routes do. */
  answerBrowser(request: SandboxRequest): SandboxAnswer;
  /** As one of the CRM's own people would: REST without a token. */
  ask(request: { method: string; path: string; body?: object }): SandboxAnswer;
  leadCount(): number;
  /** Of Leadline's calls, as they stand here. */
  writtenCalls(): SandboxCall[];
  /** Reports of changes go there from now on. A CRM without webhooks ignores it. */
  sendWebhooks(target: WebhookTarget | null): void;
  /** As one of its people does. */
  deleteCall(id: string): void;
  /** Requests that write calls, and look for them. */
  callsPath: RegExp;
  faults: Faults;
  expireAccess(): void;
  endAllGrants(): void;
  close(): Promise<void>;
}
export type StartSandboxCrm = (options: SandboxCrmOptions) => Promise<SandboxCrm>;
export interface SandboxCrmOptions {
  /** Where it keeps consents and changes; null forgets them. */
  file: string | null;
  /** The address people type, where it differs from the one the server sees. */
  publicUrl: URL | null;
}
