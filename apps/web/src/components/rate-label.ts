import type { CallRate } from "@leadline/contract/rates";
import { formatExactCost } from "./format-money.ts";

/** $0.02/min, $0.02/min + $0.005 a call, $0.005 a call; free. */
export function rateLabel({ perMinuteMicros, connectionFeeMicros }: CallRate): string {
  const perMinute = perMinuteMicros > 0 ? [`${formatExactCost(perMinuteMicros)}/min`] : [];
  const fee = connectionFeeMicros > 0 ? [`${formatExactCost(connectionFeeMicros)} a call`] : [];
  return [...perMinute, ...fee].join(" + ") || "Free";
}

/** 60/60: the first seconds count in full, then each started stretch of the next. */
export const incrementLabel = ({ firstSeconds, nextSeconds }: CallRate): string => `${firstSeconds}/${nextSeconds}`;
