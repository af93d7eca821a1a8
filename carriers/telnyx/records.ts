import { type CallRecord, ProvisionerError } from "@leadline/adapter-kit/provisioner";
import type Telnyx from "telnyx";
import { z } from "zod";
import type { Api } from "./api.ts";

/** Of every call of the account, whatever else its record lacks. */
const Listed = z.looseObject({ connection_name: z.string().nullish() });

/**
 * As Telnyx documents its call records; its official types have none for a SIP trunk. An anonymous caller has no number.
 */
const Detail = z.object({
  id: z.string().nullish(),
  uuid: z.string().nullish(),
  call_leg_id: z.string().nullish(),
  cli: z.string().nullish(),
  cld: z.string().nullish(),
  started_at: z.string().refine((text) => Number.isFinite(Date.parse(text))),
  call_sec: z.union([z.number(), z.string()]).transform(Number).pipe(z.number().nonnegative()),
  cost: z
    .string()
    .refine((text) => Number.isFinite(Number(text)))
    .nullish(),
  currency: z.string().nullish(),
});

/** Telnyx names the call in the header X-call_leg_id. */
export async function* records(
  api: Api,
  { trunk, since }: { trunk: string; since: string },
): AsyncGenerator<CallRecord> {
  const filter = {
    record_type: "sip-trunking",
    started_at: { gte: since },
  } satisfies Telnyx.DetailRecordListParams["filter"];
  let [areAny, areNamed] = [false, false];
  for await (const page of api.pages("detail_records", Listed, { filter })) {
    areAny ||= page.length > 0;
    areNamed ||= page.some(({ connection_name: name }) => Boolean(name));
    for (const listed of page) {
      if (listed.connection_name !== trunk) continue;
      const read = Detail.safeParse(listed);
      // One bad record mustn't keep the others from being read.
      if (read.success) yield toRecord(read.data);
    }
  }
  if (areAny && !areNamed)
    throw new ProvisionerError(
      "refused",
      "Telnyx’s call records don’t name their connection, so Leadline can’t tell which calls are its own.",
    );
}

function toRecord(each: z.output<typeof Detail>): CallRecord {
  const callId = each.call_leg_id ?? null;
  return {
    id: each.id ?? each.uuid ?? callId ?? `${each.cli ?? ""} ${each.cld ?? ""} ${each.started_at}`,
    callId,
    from: each.cli ?? "",
    to: each.cld ?? "",
    startedAt: new Date(each.started_at).toISOString(),
    seconds: each.call_sec,
    micros: each.cost === null || each.cost === undefined ? null : Math.round(Number(each.cost) * 1_000_000),
    currency: each.currency ?? null,
  };
}
