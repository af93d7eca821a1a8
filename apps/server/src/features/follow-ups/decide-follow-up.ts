import type { Tx } from "../../db/transaction.ts";
import { invalidInput } from "../../http/read-input.ts";
import type { Member } from "../../http/route.ts";
import { timeZoneOf } from "../organisations/time-zone.ts";
import { canCallBack } from "./follow-ups.table.ts";
import type { StoredFollowUp } from "./stored-follow-up.ts";

interface FollowUpChange {
  followUpOn?: string | null | undefined;
  followUpTime?: string | null | undefined;
  followUpOwnerId?: string | null | undefined;
  /** Undoes a deletion: the time may be in the past, and the owner may have left. */
  putBack?: boolean | undefined;
}

interface DecideFollowUp {
  caller: Member;
  /** The current follow-up. */
  current: StoredFollowUp;
  change: FollowUpChange;
}

/** The follow-up after a change; undefined if the change names none of its fields. Whoever sets it owns it by default. */
export async function decideFollowUp(
  tx: Tx,
  { caller, current, change }: DecideFollowUp,
): Promise<StoredFollowUp | undefined> {
  const { followUpOn, followUpTime, followUpOwnerId, putBack } = change;
  if (followUpOn === undefined && followUpTime === undefined && followUpOwnerId === undefined) return undefined;
  const organisationId = caller.organisation.id;
  const day = followUpOn === undefined ? current.day : followUpOn;
  if (day === null) {
    if (followUpTime || followUpOwnerId)
      throw invalidInput([{ path: ["followUpOn"], message: "Choose the day to call back first." }]);
    return { day: null, time: null, ownerId: null };
  }
  const time = followUpTime === undefined ? current.time : followUpTime;
  if (!putBack) await refusePast(tx, { organisationId, day, time, current });
  const ownerId = followUpOwnerId === undefined ? (current.ownerId ?? caller.userId) : followUpOwnerId;
  if (ownerId === null || ownerId === caller.userId || ownerId === current.ownerId) return { day, time, ownerId };
  if (await canCallBack(tx, { organisationId, userId: ownerId })) return { day, time, ownerId };
  if (putBack) return { day, time, ownerId: null };
  throw invalidInput([{ path: ["followUpOwnerId"], message: "Choose a member of your organisation who can call." }]);
}

/** Refuses a time in the past in the organisation's time zone, unless it is already set. */
async function refusePast(
  tx: Tx,
  {
    organisationId,
    day,
    time,
    current,
  }: Pick<StoredFollowUp, "time"> & {
    organisationId: string;
    day: string;
    current: StoredFollowUp;
  },
): Promise<void> {
  if (day === current.day && time === current.time) return;
  const now = clockIn(await timeZoneOf(tx, organisationId));
  if (day < now.day && day !== current.day)
    throw invalidInput([{ path: ["followUpOn"], message: "Choose today or a later day." }]);
  if (time !== null && `${day} ${time}` < `${now.day} ${now.time}`)
    throw invalidInput([{ path: ["followUpTime"], message: "Choose a time that’s still to come." }]);
}

/** Day and time of day in the time zone, comparable as text. */
export const clockIn = (timeZone: string) => {
  const part = (options: Intl.DateTimeFormatOptions, locale: string) =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options }).format(new Date());
  return { day: part({ dateStyle: "short" }, "en-CA"), time: part({ timeStyle: "short" }, "en-GB") };
};
