import type { Log } from "../../../log.ts";

const minuteMs = 60_000;

/** Limits inbound calls per minute for each organisation, since each call would be a row. */
export function limitInboundRate({ maxPerMinute, log }: { maxPerMinute: number; log: Pick<Log, "warn"> }) {
  const minutes = new Map<string, { beganMs: number; calls: number }>();

  /** At most two log lines a minute for each organisation, however many calls are refused. */
  function logRefused(organisationId: string, minute: { beganMs: number; calls: number }): void {
    log.warn(
      { organisationId, maxPerMinute },
      "more inbound calls than INBOUND_CALLS_PER_MINUTE allows: refused with 503",
    );
    const logCount = (): void =>
      log.warn({ organisationId, refused: minute.calls - maxPerMinute }, "inbound calls refused with 503 in a minute");
    setTimeout(logCount, Math.max(0, minute.beganMs + minuteMs - performance.now())).unref();
  }

  function begin(organisationId: string, beganMs: number) {
    for (const [id, minute] of minutes) if (beganMs - minute.beganMs >= minuteMs) minutes.delete(id);
    const minute = { beganMs, calls: 0 };
    minutes.set(organisationId, minute);
    return minute;
  }

  return {
    /** Counts a call and returns whether it is allowed. */
    count(organisationId: string, nowMs = performance.now()): boolean {
      const known = minutes.get(organisationId);
      const minute = known && nowMs - known.beganMs < minuteMs ? known : begin(organisationId, nowMs);
      minute.calls += 1;
      if (minute.calls === maxPerMinute + 1) logRefused(organisationId, minute);
      return minute.calls <= maxPerMinute;
    },
  };
}
export type InboundRateLimit = ReturnType<typeof limitInboundRate>;
