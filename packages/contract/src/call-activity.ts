import { z } from "zod";
import { CrmService } from "./integrations.ts";

/** Whether the call was logged in the CRM that its lead is from. */
export const CallActivity = z.object({
  state: z
    .enum(["to-sort", "waiting", "written", "failed"])
    .describe("to-sort: several leads have the number, and somebody is to choose; failed: it waits to be tried again"),
  service: CrmService.nullable().describe("Null while nobody has chosen a lead"),
  url: z.string().nullable().describe("The record there; a path of this server’s for a sandbox CRM"),
  problem: z.string().nullable().describe("Why it was not written yet, in plain words"),
});
export type CallActivity = z.infer<typeof CallActivity>;
