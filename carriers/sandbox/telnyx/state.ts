import type { OwnCertificate } from "../sip/own-certificate.ts";
import type { EndedCall } from "../sip/sip-server.ts";

export const apiKey = `KEY${"sandbox0".repeat(5)}`;

interface Connection {
  id: string;
  connection_name: string;
  user_name: string;
  password: string;
  outbound_voice_profile_id: string | null;
  created_at: string;
}
interface Profile {
  id: string;
  name: string;
  given: Record<string, unknown>;
  created_at: string;
}
export interface Order {
  id: string;
  number: string;
  connectionId: string | null;
  reference: string | null;
  status: "pending" | "success" | "failure";
  /** Otherwise it stays pending. */
  requirementsMet: boolean;
  createdAt: string;
}
export interface Held {
  id: string;
  number: string;
  connectionId: string | null;
  reference: string | null;
  /** As the API has it. Missing if it was never set. */
  forwarding?: {
    call_forwarding_enabled?: boolean | undefined;
    forwarding_type?: string | undefined;
    forwards_to?: string | undefined;
  };
  createdAt: string;
}

export interface State {
  sipPort: number;
  sipTlsPort: number;
  /** Null until it first starts. */
  certificate: OwnCertificate | null;
  connections: Connection[];
  profiles: Profile[];
  orders: Order[];
  held: Held[];
  /** Numbers of others that the account has proven to have. */
  verifiedNumbers: string[];
  /** Approved, each for one country and number type. */
  requirementGroups: { id: string; countryCode: string; numberType: string }[];
  calls: {
    id: string;
    /** At the time of the call. */
    connectionName: string | null;
    from: string;
    to: string;
    startedAt: string;
    endedAt: string;
    seconds: number;
  }[];
  charges: number;
}
export const empty: State = {
  sipPort: 0,
  sipTlsPort: 0,
  certificate: null,
  connections: [],
  profiles: [],
  orders: [],
  held: [],
  verifiedNumbers: [],
  requirementGroups: [],
  calls: [],
  charges: 0,
};

/** As "Telnyx SIP Response Codes" has them. */
export function whyNotShown(
  { held, verifiedNumbers }: State,
  shown: string,
): { status: number; reason: string } | null {
  if (held.some(({ number }) => number === shown) || verifiedNumbers.includes(shown)) return null;
  const isNumber = /^\+\d+$/.test(shown);
  const reason = isNumber ? "Unverified Caller Origination Number D51" : "Caller Origination Number is Invalid D35";
  return { status: 403, reason };
}

/** Calls in go to where the connection is registered. */
export function findTrunk({ connections }: State, user: string) {
  const found = connections.find(({ user_name }) => user_name === user);
  return found ? { id: found.id, password: found.password, originationUri: null } : null;
}

export function toCall(
  { connections }: State,
  { id, trunkId, from, to, startedAt, answeredAt, endedAt }: EndedCall,
): State["calls"][number] {
  const connectionName = connections.find((each) => each.id === trunkId)?.connection_name ?? null;
  const seconds = answeredAt === null ? 0 : Math.ceil((endedAt.getTime() - answeredAt.getTime()) / 1_000);
  const [started, ended] = [startedAt.toISOString(), endedAt.toISOString()];
  return { id, connectionName, from, to, startedAt: started, endedAt: ended, seconds };
}
