import type { Generated, GeneratedAlways } from "kysely";

export interface LiveEventTable {
  id: GeneratedAlways<number>;
  organisation_id: string;
  type: string;
  /** JSON text. */
  data: string;
  created_at: Generated<string>;
}

export interface LiveEventHorizonTable {
  organisation_id: string;
  pruned_to: number;
}
