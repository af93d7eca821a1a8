import { ProvisionerError, type ProvisionerFault } from "@leadline/adapter-kit/provisioner";
import { z } from "zod";

const Errors = z.object({
  errors: z
    .array(z.object({ code: z.coerce.string(), title: z.string().nullish(), detail: z.string().nullish() }))
    .min(1),
});

const keyRefused: [ProvisionerFault, string] = [
  "key-refused",
  "Telnyx doesn’t accept this key. Copy it again, or make a new one in the Telnyx Portal.",
];
const noBalance: [ProvisionerFault, string] = [
  "no-balance",
  "The Telnyx account has no balance left. Add funds in the Telnyx Portal under Billing.",
];
const unverified: [ProvisionerFault, string] = [
  "unverified",
  "Telnyx doesn’t allow that at this account’s level. Verify or upgrade it in the Telnyx Portal under Account.",
];
const numberGone: [ProvisionerFault, string] = [
  "number-gone",
  "This number isn’t for sale any more. Choose another one.",
];

/** By the codes of "API errors", Telnyx's documentation. */
const byCode: Record<string, [ProvisionerFault, string]> = {
  "10009": keyRefused,
  "10010": ["not-permitted", "This key may not do that. Use one with full access."],
  "10011": ["too-many-requests", "Telnyx takes no more requests for the moment. Try again in a minute."],
  "10038": unverified,
  "10039": unverified,
  "20012": unverified,
  "20100": noBalance,
  "85001": numberGone,
  "85006": numberGone,
  "85007": numberGone,
};

const byStatus: Record<number, [ProvisionerFault, string]> = {
  401: keyRefused,
  402: noBalance,
  403: byCode["10010"] ?? keyRefused,
  429: byCode["10011"] ?? keyRefused,
};

/** "Unexpected error" and "Request timeout", also with a status below 500: Telnyx may have done it all the same. */
const unknownOutcome = new Set(["10007", "10008"]);

/** In an owner's words; what isn't known is told in Telnyx's own. */
export function toProvisionerError(status: number, body: unknown): ProvisionerError {
  const errors = Errors.safeParse(body).data?.errors ?? [];
  // Before the codes: only a definite refusal lets an order be forgotten.
  if (status >= 500 || status === 408 || errors.some(({ code }) => unknownOutcome.has(code)))
    return new ProvisionerError("unreachable", "Telnyx has a failure of its own. Try again in a moment.");
  const [error] = errors;
  const known = byCode[error?.code ?? ""] ?? byStatus[status];
  if (known) return new ProvisionerError(...known);
  const said = error?.detail ?? error?.title;
  return new ProvisionerError(
    "refused",
    `Telnyx refused that (${error?.code ?? status}).${said ? ` It says: ${said}` : ""}`,
  );
}
