import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, IdParams } from "./identifiers.ts";
import { oneLine } from "./one-line.ts";

/** A call's outcome as recorded by the rep (a disposition). Each organisation edits its own list. */
export const CallOutcome = z.object({
  id: Id,
  name: z.string(),
  archived: z.boolean().describe("No longer offered, but still shown for calls that have it"),
  doNotCall: z.boolean().describe("Choosing it adds the number to the do-not-call list"),
  callBack: z.boolean().describe("Choosing it sets a callback day, unless one is set"),
  inUse: z.boolean().describe("Whether calls have it: then it can only be archived, not removed"),
});
export type CallOutcome = z.infer<typeof CallOutcome>;

export const CallOutcomeInput = z.object({
  name: oneLine(
    z.string().trim().min(2, "Name must be at least 2 characters.").max(40, "Keep the name under 40 characters."),
  ),
});

export const listCallOutcomes = endpoint({
  method: "GET",
  path: "/v1/call-outcomes",
  summary: "List the outcomes that a call may have, in the organisation's order, archived ones last",
  access: "analyst",
  audit: null,
  success: [200, z.array(CallOutcome)],
  problems: [],
});
export const createCallOutcome = endpoint({
  method: "POST",
  path: "/v1/call-outcomes",
  summary: "Add an outcome at the end of the list",
  access: "admin",
  audit: "call-outcome.created",
  body: CallOutcomeInput,
  success: [201, CallOutcome],
  problems: ["outcome-name-taken", "too-many-outcomes"],
});
export const updateCallOutcome = endpoint({
  method: "PUT",
  path: "/v1/call-outcomes/{id}",
  summary:
    "Rename an outcome, archive it, offer it again, or change whether it means do not call or call back, never both",
  access: "admin",
  audit: "call-outcome.updated",
  params: IdParams,
  body: CallOutcomeInput.partial()
    .extend({
      archived: z.boolean().optional(),
      doNotCall: z.boolean().optional(),
      callBack: z.boolean().optional(),
    })
    .refine(({ doNotCall, callBack }) => !(doNotCall && callBack), {
      path: ["callBack"],
      message: "An outcome can mean “call back” or “do not call”, not both.",
    }),
  success: [200, CallOutcome],
  problems: ["not-found", "outcome-name-taken", "too-many-outcomes"],
});
export const removeCallOutcome = endpoint({
  method: "DELETE",
  path: "/v1/call-outcomes/{id}",
  summary: "Remove an outcome; one that calls have is archived instead, and returned",
  access: "admin",
  audit: "call-outcome.removed",
  params: IdParams,
  success: [200, z.object({ archived: z.boolean() })],
  problems: ["not-found"],
});
export const orderCallOutcomes = endpoint({
  method: "PUT",
  path: "/v1/call-outcomes/order",
  summary: "Set the order of the outcomes; those not listed come after",
  access: "admin",
  audit: "call-outcome.ordered",
  body: z.object({ ids: z.array(Id).min(1, "List at least one outcome.").max(100) }),
  success: [200, z.array(CallOutcome)],
  problems: [],
});
