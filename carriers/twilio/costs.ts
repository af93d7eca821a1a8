import { unreadable } from "@leadline/adapter-kit/outbound/ask-vendor";
import type { CallRate, CallRecord, RatesRead } from "@leadline/adapter-kit/provisioner";
import { z } from "zod";
import type { Api } from "./client.ts";
import { ListPrice } from "./price.ts";
import { answered, isNotFound } from "./refusals.ts";
import { trunkSidOf } from "./trunk.ts";

const Rates = z.object({
  price_unit: z.string().nullish(),
  terminating_prefix_prices: z
    .array(
      z.object({
        destination_prefixes: z.array(z.string()),
        current_price: ListPrice,
        friendly_name: z.string().nullish(),
      }),
    )
    .nullish(),
});

/**
 * The account's own rates for calls through a trunk to the number's country, or to the number alone if its country isn't
 * listed or doesn't include it. A prefix without a price has none. If they depend on the caller's number, the highest
 * applies.
 */
export async function rates(
  api: Api,
  { digits, country }: { digits: string; country: string | null },
): Promise<RatesRead> {
  const read = async (path: string): Promise<CallRate[]> =>
    toRates(await api.read(`https://pricing.twilio.com/v2/Trunking/${path}`, Rates));
  if (country !== null) {
    const ofCountry = await read(`Countries/${country}`).catch((error: unknown): CallRate[] => {
      if (isNotFound(error)) return [];
      throw error;
    });
    if (ofCountry.some(({ prefix }) => digits.startsWith(prefix))) return { of: "country", rates: ofCountry };
  }
  return { of: "number", rates: await read(`Numbers/${encodeURIComponent(`+${digits}`)}`) };
}

function toRates({ price_unit: unit, terminating_prefix_prices: prices }: z.output<typeof Rates>): CallRate[] {
  const all = (prices ?? []).flatMap(({ current_price: perMinute, destination_prefixes, friendly_name }) =>
    perMinute === null
      ? []
      : destination_prefixes.map((each) => ({
          prefix: each,
          description: friendly_name ?? each,
          micros: perMinute,
          currency: (unit ?? "USD").toUpperCase(),
          incrementSeconds: 60,
        })),
  );
  const dearestLast = all.toSorted((one, other) => one.micros - other.micros);
  return [...new Map(dearestLast.map((rate) => [rate.prefix, rate])).values()];
}

const Listed = z.object({
  sid: z.string(),
  from: z.string(),
  to: z.string(),
  startTime: z.coerce.date(),
  duration: z.string().nullish(),
  price: ListPrice,
  priceUnit: z.string().nullish(),
});

/** A party is a number, or a SIP URI that begins with one. */
const numberOf = (party: string): string => party.replace(/^sips?:/, "").replace(/[@;].*$/, "");

type CallsPage = Awaited<ReturnType<Api["client"]["calls"]["page"]>>;

/** Those of the whole account, which may be very many: each page is asked for once the one before it was used. */
async function* callsSince({ client }: Api, since: string) {
  const first = client.calls.page({ startTimeAfter: new Date(since), pageSize: 1_000 });
  for (let page: Pick<CallsPage, "instances" | "nextPage"> = await answered(first); ;) {
    yield* page.instances;
    const next = page.nextPage();
    if (!next) return;
    page = await answered(next);
  }
}

/** Twilio names the call's SID in the header X-Twilio-CallSid of its answer. The price is null until it is known. */
export async function* records(
  api: Api,
  { trunk, since }: { trunk: string; since: string },
): AsyncGenerator<CallRecord> {
  const trunkSid = await trunkSidOf(api, trunk);
  for await (const each of callsSince(api, since)) {
    if (each.trunkSid !== trunkSid) continue;
    const read = Listed.safeParse(each);
    if (!read.success) throw unreadable("Twilio", read.error);
    const { sid, from, to, startTime, duration, price, priceUnit } = read.data;
    yield {
      id: sid,
      callId: sid,
      from: numberOf(from),
      to: numberOf(to),
      startedAt: startTime.toISOString(),
      seconds: Number(duration ?? 0),
      micros: price,
      currency: priceUnit ?? null,
    };
  }
}
