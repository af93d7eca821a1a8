import type { CarrierHangUpCause } from "@leadline/adapter-kit/carrier";

/**
 * Somebody who was not put through cannot have hung up; and no status says by itself that it is for the encryption, or that
 * credentials came before it.
 */
type Reason = Exclude<
  CarrierHangUpCause["reason"],
  "hung-up-there" | "not-encrypted" | "credentials-refused" | "audio-address-refused"
>;

/** What a status says by itself, and the Q.850 cause that it stands for (RFC 3398, section 7.2.4.1 read backwards). */
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
  // Who calls is to be vouched for (RFC 8224), or not to withhold its number (RFC 5079).
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

/** Where the telephone network's own cause came along, it says more than the status it was folded into. */
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

/** The cause in a Reason header (RFC 3326); it may stand beside others of other protocols. */
export function readQ850(reasonHeader: string | undefined): number | null {
  const found = /(?:^|,)\s*q\.850\s*(?:;[^,]*?)?;\s*cause\s*=\s*(\d{1,3})/i.exec(reasonHeader ?? "");
  return found ? Number(found[1]) : null;
}

/** Nothing came back from the trunk at all, so no status is its own; Q.850's is "network out of order". */
export const unanswered: CarrierHangUpCause = { reason: "network-failure", sip: null, q850: 38 };

/** Our settings want the sound encrypted, and the way there or the far end does not do that. */
export const notEncrypted = (status = 488): CarrierHangUpCause => ({ reason: "not-encrypted", sip: status, q850: 88 });

/** The far end's audio is at an address that may not be reached. */
export const audioAddressRefused: CarrierHangUpCause = { reason: "audio-address-refused", sip: null, q850: null };

/** Of a description, not of a call: with another one it may go through. */
export const isOfDescription = (status: number): boolean => status === 415 || status === 488 || status === 606;

/** Nobody hung up: the other side is no longer to be found. */
export const lost: CarrierHangUpCause = { reason: "network-failure", sip: 408, q850: 102 };
/** While nobody was here to hear its BYE. */
export const hungUpMeanwhile: CarrierHangUpCause = { reason: "hung-up-there", sip: 481, q850: 16 };

/** Why a call was not put through. */
export function causeOfRefusal(status: number, reasonHeader?: string): CarrierHangUpCause & { reason: Reason } {
  const q850 = readQ850(reasonHeader);
  const [reason, implied]: [Reason, number | null] = byStatus[status] ?? ["network-failure", null];
  return { reason: (q850 === null ? undefined : byQ850[q850]) ?? reason, sip: status, q850: q850 ?? implied };
}

interface Standing {
  /** Of the account's registration, the status; null where it was not. */
  refusedWith: number | null;
  hasCredentials: boolean;
}

/**
 * Where the refusal is of our account: it was asked for its password and gave it, or it is forbidden to call as it was to
 * register. Those who are asked for a password and have none are refused as anybody else.
 */
export function causeForAccount(
  cause: CarrierHangUpCause,
  { refusedWith, hasCredentials }: Standing,
): CarrierHangUpCause {
  const isOfAccount =
    cause.reason === "carrier-refused" &&
    hasCredentials &&
    (isChallenge(cause.sip) || (cause.sip === 403 && (refusedWith === 403 || isChallenge(refusedWith))));
  return isOfAccount ? { ...cause, reason: "credentials-refused" } : cause;
}

const isChallenge = (status: number | null): boolean => status === 401 || status === 407;

/** Why the far end ended a call that was answered: mostly because somebody there hung up. */
export function causeOfBye(reasonHeader: string | undefined): CarrierHangUpCause {
  const q850 = readQ850(reasonHeader) ?? 16;
  return { reason: byQ850[q850] === "network-failure" ? "network-failure" : "hung-up-there", sip: 200, q850 };
}
