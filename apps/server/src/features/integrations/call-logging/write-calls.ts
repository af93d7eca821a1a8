import { type CrmCall, CrmError, type CrmGrant } from "@leadline/adapter-kit/crm";
import { seeRemovedLeads } from "../../../db/see-removed-leads.ts";
import { withCrmGrant } from "../access/crm-access.ts";
import { nameOf, requireCrm } from "../integration-deps.ts";
import { type Outbox, type Sending, type WhichWrites, writeDue, type WritingDeps } from "../outbox/write-due.ts";
import { noteCallWritten, readCrmCall, type StoredCrmCall } from "./call-activities.table.ts";

const callOutbox: Outbox<StoredCrmCall> = {
  table: "call_activities",
  what: "call",
  leaseMs: 120_000,
  async read(tx, { key }) {
    // A lead that was merged into another keeps its CRM record, with the calls logged there.
    await seeRemovedLeads(tx, "on");
    return readCrmCall(tx, key);
  },
  async send(deps, sending) {
    const written = await sendCall(deps, sending);
    return (tx) => noteCallWritten(tx, sending.due, written);
  },
  publish: ({ publishCall }, tx, { key }) => publishCall(tx, key),
};

/** Writes a batch of due calls and returns how many. */
export const writeDueCalls = (deps: WritingDeps, which: WhichWrites = {}): Promise<number> =>
  writeDue(deps, callOutbox, which);

/** Looks for an earlier activity before creating one, and creates it again if it was deleted in the CRM. */
async function sendCall(
  deps: WritingDeps,
  { integration, due: { tries }, item, create }: Sending<StoredCrmCall>,
): Promise<{ externalId: string; url: string | null }> {
  const { leadId, leadExternalId, writtenAs: externalId, mayExist, ...told } = item;
  if (leadExternalId === null) throw new CrmError("refused", goneFrom(nameOf(deps, integration)));
  const { calls } = requireCrm(deps, integration).crm;
  const link = deps.publicUrl === null ? null : new URL(`/leads/${leadId}`, deps.publicUrl).href;
  const call: CrmCall = { ...told, leadExternalId, link };
  return withCrmGrant(deps, integration, async (grant: CrmGrant) => {
    if (externalId !== null && (await calls.update(grant, externalId, call))) return { externalId, url: null };
    const former = externalId !== null || mayExist || tries > 1 ? await calls.find(grant, call) : null;
    if (former !== null && (await calls.update(grant, former.externalId, call))) return former;
    return create(() => calls.create(grant, call));
  });
}

const goneFrom = (crmName: string): string =>
  `The lead’s record was deleted, merged or hidden in ${crmName}. Add the call there by hand, or retry once the record is back.`;
