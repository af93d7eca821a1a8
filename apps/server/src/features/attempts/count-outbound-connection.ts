import type { Database } from "../../db/database.ts";
import { countAttempts } from "./count-attempts.ts";

/** For every action by which a person makes this server connect to an address they entered. */
export const countOutboundConnection = ({ withTransaction }: Database, userId: string): Promise<void> =>
  countAttempts(withTransaction, "outbound connection", { by: userId, most: 30 });
