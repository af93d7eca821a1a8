import { z } from "zod";
import { asLeadline } from "../../../db/as-leadline.ts";
import type { Database } from "../../../db/database.ts";
import type { Tx } from "../../../db/transaction.ts";
import { defineJob, type Job } from "../../../jobs/define-job.ts";
import type { Jobs } from "../../../jobs/run-jobs.ts";
import { defaultCountryOf } from "../../organisations/default-country.ts";
import { selectPhonesWithoutCountry, updateNumbers } from "./reread-numbers.table.ts";
import { toPhoneNumbers } from "./to-phone-number.ts";

const leadsASlice = 1_000;
/** Longer than any transaction that was still writing leads with the former country. */
const secondReadingMs = 60_000;

const Data = z.object({ organisationId: z.uuid(), after: z.int().default(0) });
export type RereadNumbersJob = Job<typeof Data>;

/** Handles a slice of the organisation's leads. Returns the position of its last one, or null after the last slice. */
export async function rereadNumbers(
  tx: Tx,
  { organisationId, after }: { organisationId: string; after: number },
): Promise<number | null> {
  const leads = await selectPhonesWithoutCountry(tx, { organisationId, after, limit: leadsASlice });
  const numbers = await toPhoneNumbers(
    leads.map((lead) => lead.phone),
    await defaultCountryOf(tx, organisationId),
  );
  // What isn't a number here may be one in the country where it was written, so leave it.
  const readable = leads.flatMap(({ id, phone }, index) => {
    const number = numbers[index] ?? null;
    return number === null ? [] : [{ id, phone, number }];
  });
  await asLeadline(tx, "leads.numbers-reread", () => updateNumbers(tx, organisationId, readable));
  return leads.length < leadsASlice ? null : (leads.at(-1)?.position ?? null);
}

/** Each slice commits with the job for the next one, so it resumes wherever a process stopped. */
export function rereadNumbersJob(database: Database): RereadNumbersJob {
  const job: RereadNumbersJob = defineJob({
    name: "reread-numbers",
    schema: Data,
    retries: 12,
    run: ({ organisationId, after }, jobs) =>
      database.withTransaction({ organisationId }, async (tx) => {
        const reached = await rereadNumbers(tx, { organisationId, after });
        if (reached !== null) await jobs.enqueue(tx, job, { organisationId, after: reached });
      }),
  });
  return job;
}

/** A new default country changes the meaning of numbers without a country code. */
export async function orderRereading(
  tx: Tx,
  { jobs, job }: { jobs: Pick<Jobs, "enqueue">; job: RereadNumbersJob },
  organisationId: string,
): Promise<void> {
  await jobs.enqueue(tx, job, { organisationId });
  await jobs.enqueue(tx, job, { organisationId }, { afterMs: secondReadingMs });
}
