import type { Database } from "../../db/database.ts";
import { countAttempts } from "./sign-in-throttle.ts";

/** Everything by which a person makes this server connect to an address that they typed. */
export const countOutboundConnection = ({ withTransaction }: Database, userId: string): Promise<void> =>
  countAttempts(withTransaction, "outbound connection", { by: userId, most: 30 });
