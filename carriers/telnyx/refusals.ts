import { type ExplainedRefusal, ProvisionerError, type ProvisionerFault } from "@leadline/adapter-kit/provisioner";
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
  "Telnyx wants this account verified first. Do that in the Telnyx Portal under Account, Verifications.",
];
const numberGone: [ProvisionerFault, string] = [
  "number-gone",
  "This number isn’t for sale any more. Choose another one.",
];

/** By the codes of "API errors", Telnyx's documentation. */
const byCode: Record<string, [ProvisionerFault, string]> = {
  "10007": ["not-permitted", "This key may not do that. Use one with full access."],
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

/** In an owner's words; what isn't known is told in Telnyx's own. */
export function toProvisionerError(status: number, body: unknown): ProvisionerError {
  const [error] = Errors.safeParse(body).data?.errors ?? [];
  const known = byCode[error?.code ?? ""] ?? byStatus[status];
  if (known) return new ProvisionerError(...known);
  if (status >= 500)
    return new ProvisionerError("unreachable", "Telnyx has a failure of its own. Try again in a moment.");
  const said = error?.detail ?? error?.title;
  return new ProvisionerError(
    "refused",
    `Telnyx refused that (${error?.code ?? status}).${said ? ` It says: ${said}` : ""}`,
  );
}

/** Of a call, by Telnyx's codes (D1 and the like) in the reason phrase. */
export function explainRefusal(status: number, reason: string): ExplainedRefusal | null {
  const ofCarrier = (sentence: string): ExplainedRefusal => ({ sentence, ofCarrier: true });
  const code = /\b([A-Z]\d{1,2})\b/.exec(reason)?.[1];
  if (status === 403 && (code === "D1" || /channel limit/i.test(reason)))
    return ofCarrier("Telnyx’s limit of simultaneous calls is reached. Verify the account to raise it.");
  if (status === 403 && /rate limit/i.test(reason))
    return { sentence: "Telnyx takes no more new calls this second.", ofCarrier: true, tooFast: true };
  if (status === 403 && (code === "D13" || /dialed number is not included|whitelist/i.test(reason)))
    return ofCarrier("Calls to this country are off at Telnyx. Allow it under Limits, then connect again.");
  if (status === 403 && (code === "D60" || /balance|funds|payment/i.test(reason))) return ofCarrier(noBalance[1]);
  if (status === 403 && /verif/i.test(reason)) return ofCarrier(unverified[1]);
  return null;
}
