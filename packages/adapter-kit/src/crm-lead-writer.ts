import type { CrmMapping } from "@leadline/contract/crm-mapping";
import type { writtenLeadFields } from "@leadline/contract/written-leads";
import type { CrmGrant, CrmOwner } from "./crm.ts";

/**
 * The fields of a lead that Leadline writes, if they are mapped. The value of `status` is one that the CRM describes, that
 * of `owner` one from `ownerValue`.
 */
export type CrmWrittenField = (typeof writtenLeadFields)[number];
/** All values, because a CRM's field may hold several of them, such as a full name. Empty: no value. */
export interface CrmLeadChange {
  values: Readonly<Record<CrmWrittenField, string>>;
  changed: readonly CrmWrittenField[];
  /** Write only if the record is still as it was read. */
  version?: string | undefined;
}
/** A change that an earlier attempt may have written without noticing what it replaced. */
export interface HalfWrittenChange {
  values: CrmLeadChange["values"];
  /** The fields that have these values in the CRM, with those that they had when the team changed them. */
  known: Readonly<Partial<Record<CrmWrittenField, string>>>;
}
/** A lead that was added in Leadline. */
export interface NewCrmLead extends CrmLeadChange {
  /** Ours. */
  leadId: string;
  /** In the organisation's time zone, as YYYY-MM-DD. */
  today: string;
}

/**
 * Writes leads. `refused` says in plain words which value the CRM didn't accept. No CRM supports idempotency keys, so
 * call `find` before `create`.
 */
export interface CrmLeadWriter {
  /** The CRM's value for this owner, or for no owner. Null if it has no such person, or leads can't go without one. */
  ownerValue(grant: CrmGrant, owner: CrmOwner | null, mapping: CrmMapping): Promise<string | null>;
  /** The external id of the record that was created for this lead, or that the CRM considers the same person. */
  find(grant: CrmGrant, lead: NewCrmLead, mapping: CrmMapping): Promise<string | null>;
  /** Returns the external id. */
  create(grant: CrmGrant, lead: NewCrmLead, mapping: CrmMapping): Promise<string>;
  /** Writes the changed fields only. gone: the record was deleted in the CRM. changed: it isn't that version any more. */
  update(
    grant: CrmGrant,
    externalId: string,
    change: CrmLeadChange,
    mapping: CrmMapping,
  ): Promise<"written" | "gone" | "changed">;
  /**
   * Writes what that attempt has replaced, if someone else had set it. False if nothing. Missing if the CRM writes on a
   * condition, and so replaces nothing.
   */
  putBack?(grant: CrmGrant, externalId: string, change: HalfWrittenChange, mapping: CrmMapping): Promise<boolean>;
}
