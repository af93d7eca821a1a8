import { type Crm, CrmError, type CrmGrant, type CrmLead } from "@leadline/adapter-kit/crm";
import type { CrmWrittenField, NewCrmLead } from "@leadline/adapter-kit/crm-lead-writer";
import type { CrmMapping } from "@leadline/contract/crm-mapping";
import { asLeadline } from "../../../db/as-leadline.ts";
import type { Tx } from "../../../db/transaction.ts";
import { absorbLead } from "../../lead-conflicts/absorb-lead.ts";
import {
  findByExternalId,
  type LeadEdits,
  leadTextFields,
  linkLead,
  noteSentToCrm,
  readCrmEdits,
} from "../../leads/sync/crm-edits.ts";
import { leaveOutRecord } from "../../leads/removal/leave-out-record.ts";
import { type OwnOwner, readOwnOwner } from "../../leads/owners/own-owner.ts";
import { crmOwnerOf, upsertLeadsById } from "../../leads/sync/upsert-leads.ts";
import { publishLiveEvent } from "../../live-events/publish-live-event.ts";
import { dayNow } from "../../organisations/time-zone.ts";
import { recordSeenByLiveRun } from "../sync/comparisons.table.ts";
import { withCrmGrant } from "../access/crm-access.ts";
import { nameOf, requireCrm } from "../integration-deps.ts";
import type { StoredIntegration } from "../integrations.table.ts";
import { readAsOf } from "../sync/read-as-of.ts";
import { dropWrite } from "../outbox/outbox.table.ts";
import { type Outbox, type Sending, type WhichWrites, writeDue, type WritingDeps } from "../outbox/write-due.ts";
import { isStillAsRead } from "../sync/still-as-read.ts";
import {
  makeDueAgain,
  noteCreating,
  noteLeadWritten,
  selectLeadWrite,
  type StoredLeadWrite,
} from "./lead-writes.table.ts";
import {
  type ChangePlan,
  concernsCrm,
  isSameOwner,
  noSuchOwner,
  noSuchStatus,
  planChange,
  valueForOwner,
  valueForStatus,
  writtenAlready,
} from "./plan-change.ts";

interface LeadToWrite extends StoredLeadWrite {
  lead: LeadEdits;
  owner: OwnOwner | null;
  today: string;
}
type SendingLead = Sending<LeadToWrite>;
type Note = (tx: Tx) => Promise<void>;

const leadOutbox: Outbox<LeadToWrite> = {
  table: "lead_writes",
  what: "lead",
  // Up to eight requests of 20 s, and a refresh of the access.
  leaseMs: 300_000,
  async read(tx, due) {
    const stored = await selectLeadWrite(tx, due);
    const lead = await readCrmEdits(tx, { id: due.key, organisationId: due.organisationId });
    if (stored === null || lead === null) return null;
    const isThere = lead.origin?.integrationId === due.integrationId;
    // A lead that was deleted or merged into another meanwhile isn't created any more, but may have been already.
    const isToCreate = stored.creates && lead.origin === null && (!lead.isRemoved || stored.createdWith !== null);
    if (!isThere && !isToCreate) return null;
    const { organisationId, integrationId, key: leadId } = due;
    const today = await dayNow(tx, organisationId);
    return { ...stored, lead, today, owner: await readOwnOwner(tx, { organisationId, integrationId, leadId }) };
  },
  send: (deps, sending) =>
    sending.item.lead.origin === null ? sendNew(deps, sending) : sendChange(deps, sending, sending.item.lead.origin),
  publish: (_, tx, { organisationId, key }) =>
    publishLiveEvent(tx, { organisationId, type: "lead.written", data: { leadId: key } }),
};

/** Writes a batch of due leads and returns how many. */
export const writeDueLeads = (deps: WritingDeps, which: WhichWrites = {}): Promise<number> =>
  writeDue(deps, leadOutbox, which);

/** A record that changes again and again between reading and writing it is left for later. */
const maxReadings = 3;

/**
 * Reads the record, writes what hasn't been changed there since the team's edit, and reads it again, so that the lead
 * has what the CRM made of it. Repeating it writes nothing twice.
 */
async function sendChange(
  deps: WritingDeps,
  { integration, due, item }: SendingLead,
  { externalId }: { externalId: string },
): Promise<Note> {
  const { crm, mapping } = openCrm(deps, integration);
  const { lead } = item;
  if (!concernsCrm(item, mapping)) return (tx) => noteLeadWritten(tx, due, { conflicts: [], problem: null });
  const sent = await withCrmGrant(deps, integration, async (grant) => {
    // First, so that little time passes between reading the record and writing it.
    const own = await valuesInCrm(crm, grant, { item, mapping, changes: lead.crmStatus !== null });
    for (let reading = 0; reading < maxReadings; reading += 1) {
      const read = await readRecord(deps, integration, { grant, externalId });
      if (read === null) throw recordGone(deps, integration);
      const before = read.record;
      // An attempt that ended right after it had written may have replaced what someone else wrote.
      const known = due.tries > 1 && reading === 0 ? writtenAlready(item, before, mapping) : {};
      const { putBack } = crm.leads;
      const half = { values: { ...lead.values, status: "", owner: "" }, known };
      if (putBack && Object.keys(known).length > 0 && (await putBack(grant, externalId, half, mapping))) continue;
      const plan = planChange(item, before, mapping);
      const lacking = plan.changed.filter((field) => field in own && own[field as keyof typeof own] === null);
      const changed = plan.changed.filter((field) => !lacking.includes(field));
      const planned = { plan: { ...plan, changed }, own, lacking };
      if (changed.length === 0) return { ...planned, after: read };
      // The CRM may have the whole name in one field: the part that isn't written stays as it is there.
      const named = (field: "firstName" | "lastName") => (changed.includes(field) ? lead.values[field] : before[field]);
      const names = { firstName: named("firstName"), lastName: named("lastName") };
      const values = { ...lead.values, ...names, status: own.status ?? "", owner: own.owner ?? "" };
      const change = { values, changed, version: before.version };
      const outcome = await crm.leads.update(grant, externalId, change, mapping);
      if (outcome === "gone") throw recordGone(deps, integration);
      if (outcome === "changed") continue;
      const after = await readRecord(deps, integration, { grant, externalId });
      if (after === null) throw recordGone(deps, integration);
      return { ...planned, after };
    }
    throw new CrmError("unreachable", "Someone is changing this record in the CRM. Leadline will try again.");
  });
  const { plan, own, lacking, after } = sent;
  const problem = problemOf(nameOf(deps, integration), item, lacking);
  return async (tx) => {
    const key = await holdIntegration(tx, integration);
    await noteSentToCrm(
      tx,
      { id: due.key, organisationId: key.organisationId },
      sentBy(plan, { item, status: own.status, mapping, after: after.record }),
    );
    const { record, asOf } = after;
    await asLeadline(tx, "leads.synced", () => upsertLeadsById(tx, { ...key, leads: [record], asOf }));
    await noteLeadWritten(tx, due, { conflicts: plan.conflicts, problem });
  };
}

/** Once a sync has found that it was deleted, nothing is shown of it any more. */
const recordGone = (deps: WritingDeps, integration: StoredIntegration): CrmError =>
  new CrmError(
    "refused",
    `The lead’s record was deleted, merged or hidden in ${nameOf(deps, integration)}. Your change is kept in Leadline. Retry once the record is back.`,
  );

/** The CRM's own values for the lead's status and owner. Null if there is none. */
async function valuesInCrm(
  crm: Crm,
  grant: CrmGrant,
  { item: { lead, owner }, mapping, changes }: { item: LeadToWrite; mapping: CrmMapping; changes: boolean },
): Promise<{ status: string | null; owner: string | null }> {
  return {
    status: changes ? await valueForStatus(crm, grant, { mapping, status: lead.status }) : null,
    owner: owner === null || mapping.fields.owner === null ? null : await valueForOwner(crm, grant, { mapping, owner }),
  };
}

function problemOf(crmName: string, { lead, owner }: LeadToWrite, lacking: readonly CrmWrittenField[]): string | null {
  const problems = [
    ...(lacking.includes("status") ? [noSuchStatus(crmName, lead.status)] : []),
    ...(lacking.includes("owner") && owner !== null ? [noSuchOwner(crmName, owner)] : []),
  ];
  return problems.length === 0 ? null : problems.join(" ");
}

interface SentChange {
  item: LeadToWrite;
  status: string | null;
  mapping: CrmMapping;
  after: CrmLead;
}

function sentBy({ changed }: ChangePlan, { item: { lead, owner }, status, mapping, after }: SentChange) {
  const texts = leadTextFields.filter((field) => changed.includes(field));
  const isOwner = changed.includes("owner") && isSameOwner(owner?.inCrm ?? null, after.owner ?? null);
  return {
    values: Object.fromEntries(texts.map((field) => [field, lead.values[field]])),
    status: changed.includes("status")
      ? { status: lead.status, statusValue: `${mapping.fields.status}\n${status}` }
      : null,
    owner: isOwner ? crmOwnerOf(after) : null,
  };
}

/** Looks for the record before creating it, and makes it the lead's. A removed lead isn't created any more. */
async function sendNew(deps: WritingDeps, { integration, due, item, create }: SendingLead): Promise<Note> {
  const { crm, mapping } = openCrm(deps, integration);
  const { lead } = item;
  const { organisationId } = due;
  const found = await withCrmGrant(deps, integration, async (grant) => {
    const own = await valuesInCrm(crm, grant, { item, mapping, changes: true });
    const texts = leadTextFields.filter((field) => lead.values[field] !== "");
    const given: NewCrmLead = {
      leadId: due.key,
      today: item.today,
      values: { ...lead.values, status: own.status ?? "", owner: own.owner ?? "" },
      changed: [...texts, ...(["status", "owner"] as const).filter((field) => own[field] !== null)],
    };
    const earlier = await findCreated(crm, grant, { given, createdWith: item.createdWith, mapping });
    if (earlier === null && lead.isRemoved) return null;
    const known = earlier ?? (await crm.leads.find(grant, given, mapping));
    if (known === null)
      await deps.database.withTransaction({ organisationId }, (tx) => noteCreating(tx, due, lead.values));
    const externalId = known ?? (await create(() => crm.leads.create(grant, given, mapping)));
    const created = await readRecord(deps, integration, { grant, externalId });
    if (created === null)
      throw new CrmError("unreachable", "The new record can’t be read yet. Leadline will try again.");
    return {
      ...created,
      sent: known === null ? lead.values : earlier === null ? {} : (item.createdWith ?? {}),
      isForeign: known !== null && earlier === null,
    };
  });
  if (found === null) return (tx) => dropWrite(tx, leadOutbox.table, due);
  const { record, asOf, sent, isForeign } = found;
  return async (tx) => {
    const key = await holdIntegration(tx, integration);
    const created = { ...key, externalId: record.externalId };
    // Deleted for good while the CRM created it.
    if ((await readCrmEdits(tx, { id: due.key, organisationId })) === null) {
      // One that was there before is the CRM's own.
      if (!isForeign) await leaveOutRecord(tx, { ...created, leadId: due.key });
      return;
    }
    const twin = await findByExternalId(tx, created);
    if (twin !== null && lead.isRemoved) return dropWrite(tx, leadOutbox.table, due);
    // A sync or a report of the CRM may have brought the record first. An older lead isn't from there.
    if (twin !== null && twin.createdAt < item.createdAt)
      throw new CrmError(
        "refused",
        "The CRM already has this person, who is another lead in Leadline. Merge the two leads instead.",
      );
    const { isBehind } = await asLeadline(tx, "leads.synced", async () => {
      if (twin !== null) await absorbLead(tx, { organisationId, keptId: due.key, otherId: twin.id });
      const linked = await linkLead(tx, { id: due.key, ...key, record, sent, isForeign });
      await upsertLeadsById(tx, { ...key, leads: [record], asOf });
      return linked;
    });
    await recordSeenByLiveRun(tx, key, [record.externalId]);
    await noteLeadWritten(tx, due, { conflicts: [], problem: null });
    const hasOtherOwner = item.owner !== null && !isSameOwner(item.owner.inCrm, record.owner ?? null);
    if (isBehind || hasOtherOwner) await makeDueAgain(tx, due);
  };
}

/** The record of a creation whose answer was lost: it has what was sent then, whatever the lead has become since. */
async function findCreated(
  crm: Crm,
  grant: CrmGrant,
  { given, createdWith, mapping }: { given: NewCrmLead; mapping: CrmMapping } & Pick<StoredLeadWrite, "createdWith">,
): Promise<string | null> {
  if (createdWith === null) return null;
  return crm.leads.find(grant, { ...given, values: { ...given.values, ...createdWith } }, mapping);
}

function openCrm(deps: WritingDeps, integration: StoredIntegration) {
  const { crm } = requireCrm(deps, integration);
  const mapping = integration.mapping ?? crm.defaultMapping;
  if (mapping === null) throw new CrmError("refused", "Choose the source of its leads first, then retry.");
  return { crm, mapping };
}

/** Null if it was deleted, or merged into another. */
async function readRecord(
  deps: WritingDeps,
  integration: StoredIntegration,
  { grant, externalId }: { grant: CrmGrant; externalId: string },
): Promise<{ record: CrmLead; asOf: string } | null> {
  const { crm, mapping } = openCrm(deps, integration);
  const { read, asOf } = await readAsOf(deps, integration, () => crm.readSome(grant, [externalId], mapping));
  const { leads, leftOut, deleted } = read;
  if (deleted.includes(externalId)) return null;
  const [why] = leftOut;
  if (why !== undefined) throw new CrmError("refused", why.why);
  const [record] = leads;
  return record === undefined ? null : { record, asOf };
}

async function holdIntegration(tx: Tx, integration: StoredIntegration) {
  if (!(await isStillAsRead(tx, integration)))
    throw new CrmError("unreachable", "The integration has just been changed. Leadline will try again.");
  return { organisationId: integration.organisationId, integrationId: integration.id };
}
