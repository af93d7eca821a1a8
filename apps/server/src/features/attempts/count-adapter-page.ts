import type { Database } from "../../db/database.ts";
import { countAttempts, throttledAddress } from "./count-attempts.ts";

/** For adapters' pages, which anyone can open without signing in. */
export const countAdapterPage = ({ withTransaction }: Database, ip: string): Promise<void> =>
  countAttempts(withTransaction, "adapter page", { by: throttledAddress(ip), most: 200 });
