import type { CarrierHangUpCause } from "@leadline/adapter-kit/carrier";

/**
 * A call that never connected wasn't hung up; and no status alone says that encryption was the problem, or that
 * credentials were sent before.
 */
type Reason = Exclude<
  CarrierHangUpCause["reason"],
  "hung-up-there" | "not-encrypted" | "credentials-refused" | "audio-address-refused"
>;

/** What a status means by itself, and its Q.850 cause (RFC 3398, section 7.2.4.1, read in reverse). */
const byStatus: Record<number, [Reason, number | null]> = {
  300: ["redirected", null],
  301: ["number-unknown", 22],
  302: ["redirected", null],
  305: ["redirected", null],
  380: ["redirected", null],
  400: ["network-failure", 41],
  401: ["carrier-refused", 21],
  402: ["carrier-refused", 21],
  403: ["carrier-refused", 21],
  404: ["number-unknown", 1],
  405: ["network-failure", 63],
  406: ["carrier-refused", 79],
  407: ["carrier-refused", 21],
  408: ["no-answer", 18],
  410: ["number-unknown", 22],
  413: ["network-failure", 127],
  414: ["network-failure", 127],
  415: ["carrier-refused", 79],
  416: ["network-failure", 127],
  420: ["network-failure", 127],
  421: ["network-failure", 127],
  423: ["network-failure", 127],
  // The caller's identity must be signed (RFC 8224), or must not be anonymous (RFC 5079).
  428: ["carrier-refused", 21],
  433: ["carrier-refused", 21],
  436: ["carrier-refused", 21],
  437: ["carrier-refused", 21],
  438: ["carrier-refused", 21],
  480: ["no-answer", 19],
  481: ["network-failure", 41],
  482: ["network-failure", 25],
  483: ["network-failure", 25],
  484: ["number-unknown", 28],
  485: ["number-unknown", 1],
  486: ["busy", 17],
  487: ["no-answer", 18],
  488: ["carrier-refused", 88],
  493: ["carrier-refused", 127],
  500: ["network-failure", 41],
  501: ["network-failure", 79],
  502: ["network-failure", 27],
  503: ["network-failure", 38],
  504: ["network-failure", 102],
  505: ["network-failure", 127],
  513: ["network-failure", 127],
  600: ["busy", 17],
  603: ["rejected", 21],
  604: ["number-unknown", 1],
  606: ["carrier-refused", 88],
  607: ["rejected", 21],
  608: ["carrier-refused", 21],
};

/** The phone network's own cause is more precise than the status that it was mapped to. */
const byQ850: Record<number, Reason> = {
  1: "number-unknown",
  2: "number-unknown",
  3: "number-unknown",
  17: "busy",
  18: "no-answer",
  19: "no-answer",
  20: "no-answer",
  21: "rejected",
  22: "number-unknown",
  27: "network-failure",
  28: "number-unknown",
  34: "network-failure",
  38: "network-failure",
  41: "network-failure",
  42: "network-failure",
  44: "network-failure",
  47: "network-failure",
  50: "carrier-refused",
  55: "carrier-refused",
  57: "carrier-refused",
  58: "carrier-refused",
  65: "carrier-refused",
  79: "carrier-refused",
  88: "carrier-refused",
  102: "network-failure",
};

/** The Q.850 cause in a Reason header (RFC 3326), which may contain reasons of other protocols. */
export function readQ850(reasonHeader: string | undefined): number | null {
  const found = /(?:^|,)\s*q\.850\s*(?:;[^,]*?)?;\s*cause\s*=\s*(\d{1,3})/i.exec(reasonHeader ?? "");
  return found ? Number(found[1]) : null;
}

/** The trunk sent nothing, so there is no SIP status; Q.850's cause is "network out of order". */
export const unanswered: CarrierHangUpCause = { reason: "network-failure", sip: null, q850: 38 };

/** Our settings require encrypted audio, and the transport or the far end doesn't support it. */
export const notEncrypted = (status = 488): CarrierHangUpCause => ({ reason: "not-encrypted", sip: status, q850: 88 });

/** The far end's audio address is not allowed. */
export const audioAddressRefused: CarrierHangUpCause = { reason: "audio-address-refused", sip: null, q850: null };

/** The description was refused, not the call: with another one it may succeed. */
export const isOfDescription = (status: number): boolean => status === 415 || status === 488 || status === 606;

/** No one hung up: the far end can no longer be reached. */
export const lost: CarrierHangUpCause = { reason: "network-failure", sip: 408, q850: 102 };
/** While no process was there to receive its BYE. */
export const hungUpMeanwhile: CarrierHangUpCause = { reason: "hung-up-there", sip: 481, q850: 16 };

/** Why a call failed. */
export function causeOfRefusal(status: number, reasonHeader?: string): CarrierHangUpCause & { reason: Reason } {
  const q850 = readQ850(reasonHeader);
  const [reason, implied]: [Reason, number | null] = byStatus[status] ?? ["network-failure", null];
  return { reason: (q850 === null ? undefined : byQ850[q850]) ?? reason, sip: status, q850: q850 ?? implied };
}

interface SignInState {
  /** The status with which the account's registration was refused; null if it wasn't. */
  refusedWith: number | null;
  hasCredentials: boolean;
}

/**
 * Whether our account was refused: the server challenged us and refused our password, or calls and registration are
 * both forbidden. A server that challenges us while we have no password refuses the call like any other.
 */
export function causeForAccount(
  cause: CarrierHangUpCause,
  { refusedWith, hasCredentials }: SignInState,
): CarrierHangUpCause {
  const isOfAccount =
    cause.reason === "carrier-refused" &&
    hasCredentials &&
    (isChallenge(cause.sip) || (cause.sip === 403 && (refusedWith === 403 || isChallenge(refusedWith))));
  return isOfAccount ? { ...cause, reason: "credentials-refused" } : cause;
}

const isChallenge = (status: number | null): boolean => status === 401 || status === 407;

/** Why the far end ended an answered call: usually because someone there hung up. */
export function causeOfBye(reasonHeader: string | undefined): CarrierHangUpCause {
  const q850 = readQ850(reasonHeader) ?? 16;
  return { reason: byQ850[q850] === "network-failure" ? "network-failure" : "hung-up-there", sip: 200, q850 };
}
