import type { Lead, LeadInput, updateLead as updateEndpoint } from "@leadline/contract/leads";
import type { z } from "zod";
import type { Database } from "../../../db/database.ts";
import type { Tx } from "../../../db/transaction.ts";
import type { Member } from "../../../http/route.ts";
import { decideFollowUp } from "../../follow-ups/decide-follow-up.ts";
import { noFollowUp, storedFollowUp } from "../../follow-ups/stored-follow-up.ts";
import { defaultCountryOf } from "../../organisations/default-country.ts";
import { refuseOverRowQuota } from "../../organisations/refuse-over-row-quota.ts";
import { leadNotFound } from "../get-lead.ts";
import { changeLead, findLead, insertLead } from "../leads.table.ts";
import { requireOwner } from "../owners/require-owner.ts";
import { toPhoneNumber } from "../numbers/to-phone-number.ts";

type Fields = z.output<typeof LeadInput>;

export async function createLead(database: Database, caller: Member, fields: Fields): Promise<Lead> {
  const organisationId = caller.organisation.id;
  return database.withTransaction({ organisationId, userId: caller.userId }, async (tx) => {
    const followUp = await decideFollowUp(tx, { caller, current: noFollowUp, change: fields });
    await requireOwner(tx, { organisationId, userId: fields.ownerId });
    await refuseOverRowQuota(tx, { organisationId, table: "leads", adding: 1 });
    return insertLead(tx, organisationId, {
      ...fields,
      followUp,
      phone: await readPhone(tx, organisationId, fields.phone),
    });
  });
}

/** Missing fields stay unchanged. */
export async function updateLead(
  database: Database,
  caller: Member,
  { id, change: given }: { id: string; change: z.output<typeof updateEndpoint.body> },
): Promise<Lead> {
  const organisationId = caller.organisation.id;
  const { putBack, ...change } = given;
  const { followUpOn, followUpTime, followUpOwnerId } = change;
  const changesFollowUp = [followUpOn, followUpTime, followUpOwnerId].some((part) => part !== undefined);
  const lead = await database.withTransaction({ organisationId, userId: caller.userId }, async (tx) => {
    const before = changesFollowUp ? await findLead(tx, { id, organisationId }) : null;
    const current = before ? storedFollowUp(before) : noFollowUp;
    const followUp = await decideFollowUp(tx, { caller, current, change: { ...change, putBack } });
    await requireOwner(tx, { organisationId, userId: change.ownerId });
    return changeLead(
      tx,
      { id, organisationId },
      {
        ...change,
        followUp,
        phone: change.phone === undefined ? undefined : await readPhone(tx, organisationId, change.phone),
      },
    );
  });
  if (lead === null) throw leadNotFound();
  return lead;
}

const readPhone = async (tx: Tx, organisationId: string, written: string) => ({
  written,
  number: toPhoneNumber(written, await defaultCountryOf(tx, organisationId)),
});
