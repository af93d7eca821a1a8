import { unreadable } from "@leadline/adapter-kit/outbound/ask-vendor";
import { ProvisionerError, type ProvisionerFault } from "@leadline/adapter-kit/provisioner";

/** By the codes of Twilio's error dictionary. */
const byCode: Record<number, [ProvisionerFault, string]> = {
  20003: ["key-refused", "Twilio doesn’t accept this key. Copy the Account SID and the Auth Token again."],
  20005: ["unverified", "Twilio has suspended this account. Sign in to the Twilio Console to see why."],
  20008: ["key-refused", "These are Twilio’s test credentials, which make no calls. Use the live ones."],
  20429: ["too-many-requests", "Twilio takes no more requests for the moment. Try again in a minute."],
  21404: ["unverified", "A trial account has one number only. Upgrade the account in the Twilio Console."],
  21422: ["number-gone", "This number isn’t for sale any more. Choose another one."],
  21631: [
    "requirement-missing",
    "This number needs an address. Add one in the Twilio Console under Phone Numbers, Addresses.",
  ],
  21649: [
    "requirement-missing",
    "This number needs an approved regulatory bundle. Make one in the Twilio Console under Phone Numbers, Regulatory Compliance.",
  ],
  21651: ["requirement-missing", "The address that Twilio has isn’t in the right area for this number."],
  13227: [
    "country-not-permitted",
    "Calls to this country are off. Allow it in the Twilio Console under Voice, Geo permissions.",
  ],
  90010: ["unverified", "Twilio says that this account isn’t active. Sign in to the Twilio Console to see why."],
};

const byStatus: Record<number, [ProvisionerFault, string]> = {
  401: byCode[20003] ?? ["key-refused", ""],
  402: ["no-balance", "The Twilio account has no balance left. Add funds in the Twilio Console under Billing."],
  403: ["not-permitted", "This key may not do that. Use the account’s own Auth Token."],
  429: byCode[20429] ?? ["too-many-requests", ""],
};

/** An error of our own code that the official client runs. */
export class OwnError extends Error {}

/**
 * Waits for the official client only, which throws errors of any kind for a response of the wrong shape. Errors of our
 * own code aren't Twilio's.
 */
export const answered = <T>(request: Promise<T>): Promise<T> =>
  request.catch((error: unknown) => {
    throw error instanceof OwnError ? error.cause : toProvisionerError(error);
  });

/** In words for an owner, or in Twilio's own if the error isn't known. */
export function toProvisionerError(error: unknown): ProvisionerError {
  if (error instanceof ProvisionerError) return error;
  const { status, code, message } = readRest(error);
  if (status === null) return unreadable("Twilio", error);
  // Before the codes: only a definite refusal lets an order be forgotten.
  if (status >= 500 || status === 408)
    return new ProvisionerError("unreachable", "Twilio has a failure of its own. Try again in a moment.", {
      cause: error,
    });
  const known = (code === null ? undefined : byCode[code]) ?? byStatus[status];
  if (known) return new ProvisionerError(known[0], known[1], { cause: error });
  const said = message === null ? "" : ` It says: ${message}`;
  return new ProvisionerError("refused", `Twilio refused that${code === null ? "" : ` (${code})`}.${said}`, {
    cause: error,
  });
}

export const isNotFound = (error: unknown): boolean =>
  error instanceof ProvisionerError && readRest(error.cause).status === 404;

/** Waits for a deletion, perhaps one that has been carried out already. */
export const removed = async (request: Promise<boolean>): Promise<void> => {
  await answered(request).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
};

function readRest(error: unknown): { status: number | null; code: number | null; message: string | null } {
  const given: { status?: unknown; code?: unknown; message?: unknown } =
    typeof error === "object" && error !== null ? error : {};
  const number = (value: unknown): number | null => (typeof value === "number" ? value : null);
  return {
    status: number(given.status),
    code: number(given.code),
    message: typeof given.message === "string" ? given.message : null,
  };
}
