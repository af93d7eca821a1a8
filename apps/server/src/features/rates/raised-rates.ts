import type { Rate } from "@leadline/contract/rates";
import { inDollars } from "../../in-dollars.ts";

/** How many are listed. The rest are counted. */
const listed = 5;

/** What a mail says if prices have gone up since they were last read: a sentence for each, the highest rise first. Else empty. */
export function raisedRates(
  label: string,
  { before, saved }: { before: readonly Rate[]; saved: readonly Rate[] },
): string[] {
  const earlier = new Map(before.map((rate) => [rate.prefix, rate]));
  const raised = saved.flatMap((rate) => {
    const was = earlier.get(rate.prefix);
    return was !== undefined && isDearer(rate, was) ? [{ rate, was }] : [];
  });
  if (raised.length === 0) return [];
  const rise = ({ rate, was }: (typeof raised)[number]) => rate.perMinuteMicros - was.perMinuteMicros;
  const sorted = raised.toSorted((one, other) => rise(other) - rise(one));
  const more = raised.length - listed;
  return [
    `The carrier “${label}” charges more than when Leadline last read its prices:`,
    ...sorted.slice(0, listed).map(({ rate, was }) => {
      const place = rate.description === "" ? "" : ` (${rate.description})`;
      return `Numbers that start with +${rate.prefix}${place}: ${inWords(rate, was)}, before ${inWords(was, rate)}.`;
    }),
    ...(more > 0 ? [`And ${more.toLocaleString("en-US")} more.`] : []),
    "New calls cost this, with your margin. Enter a rate of your own to replace one.",
  ];
}

const isDearer = (rate: Rate, was: Rate): boolean =>
  rate.perMinuteMicros > was.perMinuteMicros ||
  rate.firstSeconds > was.firstSeconds ||
  rate.nextSeconds > was.nextSeconds;

const inWords = ({ perMinuteMicros, firstSeconds, nextSeconds }: Rate, other: Rate): string => {
  const price = `${inDollars(perMinuteMicros)} a minute`;
  const isSameStep = firstSeconds === other.firstSeconds && nextSeconds === other.nextSeconds;
  return isSameStep ? price : `${price}, billed by ${firstSeconds} s and then ${nextSeconds} s`;
};
