import { z } from "zod";
import { CrmService } from "./integrations.ts";

/** Whether the call was logged in the CRM that its lead is from. */
export const CallActivity = z.object({
  state: z
    .enum(["to-sort", "waiting", "written", "failed"])
    .describe("to-sort: several leads have the number, and one must be chosen; failed: it can be retried"),
  service: CrmService.nullable().describe(
    "Null until a lead is chosen, and once a logged call's lead or integration was deleted",
  ),
  url: z.string().nullable().describe("The record in the CRM; a path on this server for a sandbox CRM"),
  problem: z.string().nullable().describe("Why it hasn't been logged yet, in plain words"),
});
export type CallActivity = z.infer<typeof CallActivity>;
