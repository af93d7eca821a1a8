import { z } from "zod";
import type { Database } from "../../db/database.ts";
import { defineJob } from "../../jobs/define-job.ts";
import { publishLiveEvent } from "../live-events/publish-live-event.ts";
import { listPresentPeople } from "../processes/list-present-people.ts";
import {
  type DueReminder,
  selectOrganisationsWithDueReminders,
  takeDueReminders,
} from "./follow-up-reminders.table.ts";
import type { MailFollowUpsJob } from "./mail-follow-ups.ts";

/** Reloading a page or closing a laptop’s lid for a moment doesn’t count as being away. */
const awayMs = 5 * 60_000;
/** The mail counts the rest. */
const maxInMail = 100;

/**
 * Delivers each due reminder once, in the transaction that deletes it: as a live event if its person has a page of the
 * organisation open, as an email once they have had none for five minutes.
 */
export const remindOfFollowUpsJob = (database: Database, mailJob: MailFollowUpsJob) =>
  defineJob({
    name: "remind-of-follow-ups",
    schema: z.object({}),
    cron: "* * * * *",
    async run(_, jobs) {
      const system = { system: "find people whose callbacks are due" };
      const organisationIds = await database.withTransaction(system, selectOrganisationsWithDueReminders);
      for (const organisationId of organisationIds) {
        await database.withTransaction({ ...system, by: organisationId }, async (tx) => {
          const present = (await listPresentPeople(tx)).filter((one) => one.organisationId === organisationId);
          const presentUserIds = present.map(({ userId }) => userId);
          const due = await takeDueReminders(tx, { organisationId, presentUserIds, awayMs });
          const byPerson = Map.groupBy(due, ({ userId }) => userId);
          for (const [userId, theirs] of byPerson)
            if (!theirs[0]?.isPresent) await jobs.enqueue(tx, mailJob, { organisationId, userId, ...inMail(theirs) });
          for (const [userId, theirs] of byPerson) {
            const [first] = theirs;
            if (!first?.isPresent) continue;
            const { leadId, name, phoneNumber, followUpTime } = first;
            const data = { userId, count: theirs.length, first: { leadId, name, phoneNumber, followUpTime } };
            await publishLiveEvent(tx, { organisationId, type: "follow-ups.due", data });
          }
        });
      }
    },
  });

function inMail(reminders: readonly DueReminder[]) {
  const mailed = reminders.slice(0, maxInMail);
  return {
    count: reminders.length,
    leadIds: mailed.flatMap(({ leadId }) => leadId ?? []),
    phoneNumbers: mailed.flatMap(({ leadId, phoneNumber }) =>
      leadId === null && phoneNumber !== null ? [phoneNumber] : [],
    ),
  };
}
