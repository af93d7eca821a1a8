import { type CallRecord, ProvisionerError } from "@leadline/adapter-kit/provisioner";
import type Telnyx from "telnyx";
import { z } from "zod";
import type { Api } from "./api.ts";

/** As Telnyx documents its call records; its official types have none for a SIP trunk. */
const Detail = z.object({
  id: z.string().nullish(),
  uuid: z.string().nullish(),
  call_leg_id: z.string().nullish(),
  connection_name: z.string().nullish(),
  cli: z.string(),
  cld: z.string(),
  started_at: z.string(),
  call_sec: z.coerce.number(),
  cost: z.string().nullish(),
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
  const found = await api.list("detail_records", Detail, { filter });
  if (found.length > 0 && found.every(({ connection_name: name }) => !name))
    throw new ProvisionerError(
      "refused",
      "Telnyx’s call records don’t name their connection, so Leadline can’t tell which calls are its own.",
    );
  for (const each of found) {
    if (each.connection_name !== trunk) continue;
    const callId = each.call_leg_id ?? null;
    yield {
      id: each.id ?? each.uuid ?? callId ?? `${each.cli} ${each.cld} ${each.started_at}`,
      callId,
      from: each.cli,
      to: each.cld,
      startedAt: new Date(each.started_at).toISOString(),
      seconds: each.call_sec,
      micros: each.cost === null || each.cost === undefined ? null : Math.round(Number(each.cost) * 1_000_000),
      currency: each.currency ?? null,
    };
  }
}
