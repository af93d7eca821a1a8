import type { Database } from "../../db/database.ts";
import { countAttempts, throttledAddress } from "./sign-in-throttle.ts";

/** For the sandbox CRM's consent page, which anybody may ask for. */
export const countConsentRequest = ({ withTransaction }: Database, ip: string): Promise<void> =>
  countAttempts(withTransaction, "sandbox consent", { by: throttledAddress(ip), most: 200 });
