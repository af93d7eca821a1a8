import { z } from "zod";

/** The sandbox has nothing to configure: no keys, host or account. */
export const settings = z.object({});
