import { randomBytes } from "node:crypto";
import type { OwnCertificate } from "../sip/own-certificate.ts";
import type { EndedCall } from "../sip/sip-server.ts";

export const accountSid = `AC${"5a".repeat(16)}`;
export const authToken = "sandbox0".repeat(4);

export interface Trunk {
  sid: string;
  friendlyName: string;
  domainName: string;
  secure: boolean;
  transferMode: string;
  credentialLists: string[];
  originationUrls: OriginationUrl[];
  createdAt: string;
}
export interface OriginationUrl {
  sid: string;
  friendlyName: string;
  sipUrl: string;
  weight: number;
  priority: number;
  enabled: boolean;
  createdAt: string;
}
export interface CredentialList {
  sid: string;
  friendlyName: string;
  credentials: { sid: string; username: string; password: string }[];
  createdAt: string;
}
export interface Incoming {
  sid: string;
  phoneNumber: string;
  friendlyName: string;
  trunkSid: string | null;
  /** Missing in what an earlier version has kept. */
  voiceUrl?: string;
  createdAt: string;
}
export interface Address {
  sid: string;
  countryCode: string;
}
/** Always approved, with an address. */
export interface Bundle {
  sid: string;
  documentSid: string;
  addressSid: string;
  countryCode: string;
  numberType: string;
}
export interface Call {
  sid: string;
  trunkSid: string;
  from: string;
  to: string;
  startedAt: string;
  endedAt: string;
  seconds: number;
  status: string;
}

export interface State {
  sipPort: number;
  sipTlsPort: number;
  /** Null until it first starts. */
  certificate: OwnCertificate | null;
  trunks: Trunk[];
  credentialLists: CredentialList[];
  incoming: Incoming[];
  /** Numbers of others that the account has proven to have. */
  verifiedCallerIds: string[];
  addresses: Address[];
  bundles: Bundle[];
  calls: Call[];
  /** Numbers that were charged for, once each time. */
  charges: number;
}
export const empty: State = {
  sipPort: 0,
  sipTlsPort: 0,
  certificate: null,
  trunks: [],
  credentialLists: [],
  incoming: [],
  verifiedCallerIds: [],
  addresses: [],
  bundles: [],
  calls: [],
  charges: 0,
};

export const newSid = (kind: string): string => kind + randomBytes(16).toString("hex");

export const mayShow = ({ incoming, verifiedCallerIds }: State, number: string): boolean =>
  incoming.some(({ phoneNumber }) => phoneNumber === number) || verifiedCallerIds.includes(number);

/** Whose credentials are attached to a trunk, with the enabled origination URL of the lowest priority. */
export function findTrunk(state: State, user: string) {
  const list = state.credentialLists.find(({ credentials }) => credentials.some(({ username }) => username === user));
  const trunk = list && state.trunks.find(({ credentialLists }) => credentialLists.includes(list.sid));
  const password = list?.credentials.find(({ username }) => username === user)?.password;
  if (!trunk || password === undefined) return null;
  const [first] = trunk.originationUrls.filter(({ enabled }) => enabled).toSorted((a, b) => a.priority - b.priority);
  return { id: trunk.sid, password, originationUri: first?.sipUrl ?? null };
}

export function toCall({ id, trunkId, from, to, startedAt, answeredAt, endedAt }: EndedCall): Call {
  const seconds = answeredAt === null ? 0 : Math.ceil((endedAt.getTime() - answeredAt.getTime()) / 1_000);
  return {
    sid: id,
    trunkSid: trunkId,
    from,
    to,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt.toISOString(),
    seconds,
    status: answeredAt === null ? "no-answer" : "completed",
  };
}
