import { sql } from "kysely";

/** Of a call's duration, in ms: what every list of calls shows of it, so that a sum agrees with the rows it is of. */
export const wholeSeconds = sql.raw("duration_ms / 1000 * 1000");
