import { sql } from "kysely";

/**
 * A call's duration in ms, rounded down to whole seconds: every list of calls shows it, so that a sum matches its rows.
 */
export const wholeSeconds = sql.raw("duration_ms / 1000 * 1000");
