import { z } from "zod";

/** Fields of a request that calls a number. */
export const hoursAsked = {
  askWhenClosed: z
    .boolean()
    .optional()
    .describe("Refuses with outside-hours while the organisation is closed, for clients that can ask the person first"),
  outsideHoursReason: z
    .string()
    .trim()
    .min(3, "Enter a reason.")
    .max(200, "Keep the reason under 200 characters.")
    .optional()
    .describe("The reason for a call outside the opening hours or the callee's calling hours, which allows it"),
};

export const hoursProblems = ["outside-hours", "outside-calling-hours"] as const;

export const callHours = {
  hoursOverride: z
    .string()
    .nullable()
    .describe(
      "The person's reason to call outside the hours, and after “transfer:” for each transfer; null if none was needed",
    ),
};
