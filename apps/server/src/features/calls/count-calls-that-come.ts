const minuteMs = 60_000;

/** Lets so many calls in a minute through for each organisation; more are a flood, and each would be a row. */
export function countCallsThatCome({ mostAMinute }: { mostAMinute: number }) {
  const minutes = new Map<string, { beganMs: number; calls: number }>();

  function begin(organisationId: string, beganMs: number) {
    for (const [id, minute] of minutes) if (beganMs - minute.beganMs >= minuteMs) minutes.delete(id);
    const minute = { beganMs, calls: 0 };
    minutes.set(organisationId, minute);
    return minute;
  }

  return {
    /** "first-too-many" once a minute, for the log. */
    count(organisationId: string, nowMs = performance.now()): "let-in" | "first-too-many" | "too-many" {
      const known = minutes.get(organisationId);
      const minute = known && nowMs - known.beganMs < minuteMs ? known : begin(organisationId, nowMs);
      minute.calls += 1;
      if (minute.calls <= mostAMinute) return "let-in";
      return minute.calls === mostAMinute + 1 ? "first-too-many" : "too-many";
    },
  };
}
export type CallsThatCome = ReturnType<typeof countCallsThatCome>;
