import { json, type SandboxResponse } from "../exchange.ts";
import { apiError } from "./errors.ts";
import { formatTime } from "./query-fields.ts";
import type { Store } from "./store.ts";

const fifteenDaysMs = 15 * 86_400_000;

/** Of leads (REST API Developer Guide, sObject Get Deleted). */
export function listDeleted({ state }: Store, url: URL): SandboxResponse {
  const [startMs, endMs] = ["start", "end"].map((name) => Date.parse(url.searchParams.get(name) ?? ""));
  if (startMs === undefined || endMs === undefined || Number.isNaN(startMs) || Number.isNaN(endMs))
    return apiError(400, "MALFORMED_ID", "start and end must be times");
  if (endMs - startMs < 60_000)
    return apiError(400, "INVALID_REPLICATION_DATE", "endDate must be at least one minute greater than startDate");
  const earliestMs = Date.now() - fifteenDaysMs;
  if (startMs < earliestMs)
    return apiError(400, "INVALID_REPLICATION_DATE", "startDate is outside the replication window");
  // Seconds do not count, on either side.
  const minute = (ms: number) => Math.floor(ms / 60_000) * 60_000;
  const within = state.deleted.filter(({ deletedMs }) => deletedMs >= minute(startMs) && deletedMs <= endMs);
  return json(200, {
    deletedRecords: within.map(({ id, deletedMs }) => ({ deletedDate: formatTime(deletedMs), id })),
    earliestDateAvailable: formatTime(earliestMs),
    latestDateCovered: formatTime(Math.min(endMs, Date.now())),
  });
}
