import { z } from "zod";
import { Id } from "./identifiers.ts";
import { LeadStatus } from "./leads.ts";

/** At most this many of the leads that share a number are listed. */
export const maxCallLeads = 5;

/** The lead's fields shown with a call. */
export const CallLead = z.object({ id: Id, firstName: z.string(), lastName: z.string(), status: LeadStatus });
