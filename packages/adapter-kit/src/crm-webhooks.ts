import type { CrmMapping } from "@leadline/contract/crm-mapping";
import type { CrmGrant } from "./crm.ts";

/** A request that claims to come from a CRM. Trust nothing in it before the adapter has verified it. */
export interface CrmWebhookRequest {
  method: string;
  /** The address as the CRM knows it. */
  url: URL;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Byte for byte: signatures cover these bytes. */
  body: Buffer;
}

/** A report that a lead changed. It triggers a read of that lead; its other contents are ignored. */
export interface CrmChange {
  /** The same for every delivery of one report. */
  eventId: string;
  leadExternalId: string;
}

/** One address for all customers. The request is signed, and each report names the account it is about. */
interface SignedWebhooks {
  addressedBy: "account";
  /** Throws a CrmError `refused` unless the signature proves that the CRM sent exactly this within the last five minutes. */
  read(request: CrmWebhookRequest): (CrmChange & { workspace: string | null; accountId: string })[];
}

/** An unguessable address for each integration, because the CRM doesn't sign. */
interface KeyedWebhooks {
  addressedBy: "key";
  /**
   * Throws a CrmError `refused` if it can't be parsed. `confirmation`: what `confirm` needs to prove that the address
   * is ours.
   */
  read(request: CrmWebhookRequest): { changes: CrmChange[]; confirmation: string | null };
  /** Asks the CRM to report changes to this address. Does nothing if it already does. */
  subscribe(grant: CrmGrant, mapping: CrmMapping, url: URL): Promise<void>;
  /** Asks the CRM to no longer report this source's changes to this address. Does nothing if it doesn't. */
  unsubscribe(grant: CrmGrant, source: string, url: URL): Promise<void>;
  confirm(grant: CrmGrant, confirmation: string): Promise<void>;
}

export type CrmWebhooks = SignedWebhooks | KeyedWebhooks;
