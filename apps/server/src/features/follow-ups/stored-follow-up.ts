/** When to call back and who does, in the organisation's time zone. */
export interface StoredFollowUp {
  /** 2026-03-29; null without a follow-up, and then time and owner are null too. */
  day: string | null;
  /** 14:30; null: any time of the day. */
  time: string | null;
  ownerId: string | null;
}

export const noFollowUp: StoredFollowUp = { day: null, time: null, ownerId: null };

/** From the follow-up fields of a lead or call. */
export const storedFollowUp = (shown: {
  followUpOn: string | null;
  followUpTime: string | null;
  followUpOwner: { userId: string } | null;
}): StoredFollowUp => ({
  day: shown.followUpOn,
  time: shown.followUpTime,
  ownerId: shown.followUpOwner?.userId ?? null,
});
