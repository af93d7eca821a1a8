import { z } from "zod";

/** The sandbox has nothing to set: no keys, no host, no account. */
export const settings = z.object({});
