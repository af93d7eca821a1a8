import { z } from "zod";

export const LeadStatus = z.enum(["New", "Working", "Nurturing", "Qualified", "Unqualified"]);
export type LeadStatus = z.infer<typeof LeadStatus>;
