import { z } from "zod";

/** Fields of a request that calls a number. */
export const hoursAsked = {
  askWhenClosed: z
    .boolean()
    .optional()
    .describe("Refuses with outside-hours while the organisation is closed: for who can ask the person first"),
  outsideHoursReason: z
    .string()
    .trim()
    .min(3, "Enter a reason.")
    .max(200, "Keep the reason under 200 characters.")
    .optional()
    .describe("Why it is made outside the opening hours, or the callee's calling hours, which lets it go ahead"),
};

export const hoursProblems = ["outside-hours", "outside-calling-hours"] as const;

export const callHours = {
  hoursOverride: z
    .string()
    .nullable()
    .describe("The person's reason to call, or to transfer the call, outside the hours; null if none was needed"),
};
