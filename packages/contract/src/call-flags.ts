import { z } from "zod";

/** What a person switches on and off in a live call. Hold isn't one of these: it also depends on their other line. */
export const callFlags = {
  muted: z.boolean(),
  silenced: z.boolean().describe("The other participants don't hear this far end"),
};
export type CallFlags = z.infer<z.ZodObject<typeof callFlags>>;
export type CallFlag = keyof CallFlags;

const flagChanges = {
  muted: z.boolean().optional().describe("Mutes the person, in this call and on their other line"),
  silenced: z.boolean().optional().describe("If the call is joined with another"),
} satisfies Record<CallFlag, z.ZodType>;
export type FlagChange = z.infer<z.ZodObject<typeof flagChanges>>;

export const CallUpdate = z.object({
  ...flagChanges,
  held: z.boolean().optional().describe("Of two calls that aren't joined, resuming one holds the other"),
});
export type CallUpdate = z.infer<typeof CallUpdate>;

export const flagNames = z.object(callFlags).keyof().options;
export const flagsOff: CallFlags = { muted: false, silenced: false };
/** Only the flags. */
export const flagsOf = ({ muted, silenced }: CallFlags): CallFlags => ({ muted, silenced });
