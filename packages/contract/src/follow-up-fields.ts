import { z } from "zod";
import { GivenDay, Id, TimeOfDay } from "./identifiers.ts";

/** When to call back and by whom, in the organisation's time zone. */
export const followUpFields = {
  followUpOn: z.iso.date().nullable().describe("The day to call back"),
  followUpTime: TimeOfDay.nullable().describe("In the organisation's time zone; null: any time that day"),
  followUpOwner: z.object({ userId: Id, name: z.string() }).nullable().describe("Who calls back and gets the reminder"),
};
export type FollowUpFields = z.infer<z.ZodObject<typeof followUpFields>>;

/** Missing fields stay unchanged. Without a day there can be no time or owner. */
export const givenFollowUp = (noDay: string) => ({
  followUpOn: GivenDay(noDay).nullish(),
  followUpTime: TimeOfDay.nullish(),
  followUpOwnerId: Id.nullish().describe(
    "A member of the organisation, who gets the reminder. Default: the current owner, or the person who sets the day",
  ),
});
