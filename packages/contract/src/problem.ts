import { z } from "zod";

/**
 * Every problem the API returns, as problem+json (RFC 9457). `detail` is written where the problem is thrown, in words
 * for a rep.
 */
export const problemTypes = {
  "invalid-input": { status: 422, title: "Check what you entered" },
  "malformed-request": { status: 400, title: "The request cannot be read" },
  "not-signed-in": { status: 401, title: "Sign in" },
  "wrong-credentials": { status: 401, title: "Incorrect email or password" },
  "hosted-login-failed": { status: 401, title: "Login failed" },
  "refresh-token-invalid": { status: 401, title: "Your session has ended" },
  "hosted-login-refused": { status: 403, title: "You can’t log in here" },
  "not-allowed": { status: 403, title: "Not allowed" },
  "no-organisation": { status: 403, title: "No organisation" },
  "registration-refused": { status: 403, title: "You can’t register here" },
  "link-invalid": { status: 410, title: "This link no longer works" },
  "workspace-domain-refused": { status: 422, title: "Not a workspace domain" },
  "integration-not-connected": { status: 409, title: "Integration not connected" },
  "source-not-chosen": { status: 409, title: "No lead source chosen" },
  "crm-not-available": { status: 409, title: "This CRM can’t be connected" },
  "authorisation-refused": { status: 409, title: "Access denied" },
  "already-connected": { status: 409, title: "Account already connected" },
  "crm-unreachable": { status: 502, title: "CRM not responding" },
  "webhook-refused": { status: 403, title: "Not from this CRM" },
  "balance-too-low": { status: 402, title: "Balance too low" },
  "rate-unknown": { status: 402, title: "Price unknown" },
  "country-not-allowed": { status: 403, title: "Country not allowed" },
  "number-blocked": { status: 403, title: "Number blocked" },
  "prefix-blocked": { status: 403, title: "Prefix blocked" },
  "rate-too-high": { status: 403, title: "Price per minute too high" },
  "password-required": { status: 403, title: "Enter your password" },
  "do-not-call": { status: 403, title: "Do not call" },
  "not-found": { status: 404, title: "Not found" },
  "request-timeout": { status: 408, title: "The request took too long" },
  "already-member": { status: 409, title: "Already a member" },
  "lead-in-use": { status: 409, title: "The lead can’t be erased yet" },
  "organisation-in-use": { status: 409, title: "The organisation can’t be deleted yet" },
  "last-owner": { status: 409, title: "An owner is required" },
  "email-taken": { status: 409, title: "Email already registered" },
  "outcome-name-taken": { status: 409, title: "Outcome already in the list" },
  "too-many-outcomes": { status: 409, title: "The list is full" },
  "organisation-switched": { status: 409, title: "You’ve switched organisations" },
  "outside-hours": { status: 409, title: "Outside opening hours" },
  "outside-calling-hours": { status: 409, title: "Outside calling hours" },
  "call-in-progress": { status: 409, title: "You’re already on a call" },
  "call-taken": { status: 409, title: "Already answered" },
  "call-ended": { status: 409, title: "The call has ended" },
  "own-number": { status: 409, title: "That’s their own number" },
  "transfer-in-progress": { status: 409, title: "The call is being transferred" },
  "teammate-unavailable": { status: 409, title: "Teammate unavailable" },
  "voicemail-unavailable": { status: 409, title: "Voicemail unavailable" },
  "caller-id-not-verified": { status: 409, title: "The caller ID isn’t verified" },
  "caller-id-missing": { status: 409, title: "No number to show" },
  "number-taken": { status: 409, title: "The number is taken" },
  "not-supported": { status: 409, title: "Not supported by your carrier" },
  "statement-too-long": { status: 409, title: "Too many entries for a PDF" },
  "payments-off": { status: 409, title: "Payments aren’t set up" },
  "no-saved-method": { status: 409, title: "No payment method saved" },
  "payment-refused": { status: 409, title: "Payment not started" },
  "idempotency-key-reused": { status: 409, title: "Idempotency key used for another request" },
  "media-connection-gone": { status: 409, title: "Audio connection lost" },
  "too-late": { status: 409, title: "Too late" },
  "import-started": { status: 409, title: "The import has started already" },
  "quota-reached": { status: 409, title: "Limit reached" },
  "storage-full": { status: 409, title: "Storage full" },
  "body-too-large": { status: 413, title: "Too large" },
  "media-type-not-supported": { status: 415, title: "Wrong kind of body" },
  "phone-number-invalid": { status: 422, title: "Not a phone number" },
  "file-refused": { status: 422, title: "File not accepted" },
  "sdp-not-usable": { status: 422, title: "The browser’s audio offer can’t be used" },
  "limit-reached": { status: 429, title: "Limit reached" },
  "too-many-attempts": { status: 429, title: "Too many attempts" },
  "headers-too-large": { status: 431, title: "The headers are too long" },
  "internal-error": { status: 500, title: "Error on our side" },
  "carrier-refused": { status: 409, title: "The carrier refused" },
  "carrier-unreachable": { status: 502, title: "Carrier not responding" },
  "payment-unreachable": { status: 502, title: "Payment provider not responding" },
  "hosted-login-unreachable": { status: 502, title: "Single sign-on not responding" },
  unavailable: { status: 503, title: "Leadline is not ready" },
  "media-unavailable": { status: 503, title: "No media server responding" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problemTypes;

/** Problems that any endpoint may return without listing them. */
export const commonProblems = [
  "malformed-request",
  "request-timeout",
  "headers-too-large",
  "invalid-input",
  "organisation-switched",
  "internal-error",
  "unavailable",
] as const satisfies readonly ProblemCode[];

/** Problems that the limits of calls can cause. */
export const limitProblems = [
  "country-not-allowed",
  "number-blocked",
  "prefix-blocked",
  "rate-too-high",
  "limit-reached",
] as const satisfies readonly ProblemCode[];

export const ProblemDocument = z.object({
  type: z.string().describe("A relative reference that names the problem: /api/docs#{code}"),
  title: z.string(),
  status: z.int(),
  detail: z.string().describe("What happened and what to do next"),
  errors: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .optional()
    .describe("With invalid-input: which fields, and why"),
  retryAfterSeconds: z.int().optional(),
});
export type ProblemDocument = z.infer<typeof ProblemDocument>;

export const problemTypeUri = (code: ProblemCode): string => `/api/docs#${code}`;
