import type { LeadStatus } from "@leadline/contract/leads";
import type { Generated, GeneratedAlways } from "kysely";

export interface LeadTable {
  id: Generated<string>;
  /** Grows with time: the key that lists page by. */
  position: GeneratedAlways<number>;
  organisation_id: string;
  /** The CRM connection it came from, with the id that the CRM knows it by; both or neither. */
  integration_id: string | null;
  external_id: string | null;
  first_name: string;
  last_name: string;
  email: string;
  /** As a person or a CRM wrote it. */
  phone: string;
  /** The same as E.164; null where it is none. */
  phone_number: string | null;
  status: Generated<LeadStatus>;
  follow_up_on: string | null;
  created_at: Generated<string>;
  updated_at: Generated<string>;
}
