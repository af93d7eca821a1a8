import { z } from "zod";
import { Id } from "./identifiers.ts";
import { LeadStatus } from "./leads.ts";

/** So many of those who share a number are told. */
export const mostCallLeads = 5;

/** What a call tells of a lead. */
export const CallLead = z.object({ id: Id, firstName: z.string(), lastName: z.string(), status: LeadStatus });
