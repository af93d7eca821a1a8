import { z } from "zod";
import { Id } from "./identifiers.ts";
import { LeadStatus } from "./leads.ts";

/** What a call tells of a lead. */
export const CallLead = z.object({ id: Id, firstName: z.string(), lastName: z.string(), status: LeadStatus });
