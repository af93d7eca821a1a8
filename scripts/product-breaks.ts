import type { Break } from "./breaks.ts";

const server = "apps/server/src";
const web = "apps/web/src";

/** Outside security: screens, jobs, mail, voicemail, files, payments, the ledger and audio. */
export const productBreaks: readonly Break[] = [
  {
    what: "a typed day or time is lost when its page is left",
    file: `${web}/components/use-save-later.ts`,
    from: `const flush = () => saveOnce(save);`,
    to: `const flush = () => {};`,
    tests: [`${web}/components/call-notes`],
  },
  {
    what: "a pasted extension is dialled with its number",
    file: `${web}/phone/numbers/read-pasted-number.ts`,
    from: `readNumber(splitExtension(pasted).number)`,
    to: `readNumber(splitExtension(pasted).number + splitExtension(pasted).extension)`,
    tests: [`${web}/phone/pad/extension-note.test.tsx`, `${web}/phone/numbers`],
  },
  {
    what: "a teammate who is away can be chosen",
    file: `${web}/phone/transfer/teammate-list.tsx`,
    from: `disabled={disabled || one.presence !== "free"}`,
    to: `disabled={disabled}`,
    tests: [`${web}/phone/transfer/transfer-call.test.tsx`],
  },
  {
    what: "Escape drops what was typed in a dialog",
    file: `${web}/components/use-ask-before-closing.tsx`,
    from: `if (state === "unsaved") setAsking(true);`,
    to: `if (state === "unsaved") onClose();`,
    tests: [`${web}/components/edit-lead-dialog.test.tsx`],
  },
  {
    what: "a call outside the opening hours is placed without asking",
    file: `${web}/phone/call/ask-when-closed.ts`,
    from: `await place({ ...to, askWhenClosed: true });`,
    to: `await place({ ...to });`,
    tests: [`${web}/phone/pad/outside-hours-dialog.test.tsx`],
  },
  {
    what: "outside the opening hours an inbound call rings",
    file: `${server}/features/calls/inbound/ring-members.ts`,
    from: `voicemailMs.then((ringMs) => ringMs !== 0)`,
    to: `voicemailMs.then((ringMs) => ringMs !== -1)`,
    tests: [`${server}/features/voicemail/voicemail-outside-hours.test.ts`],
  },
  {
    what: "the job queue keeps the data of finished jobs",
    file: `${server}/jobs/run-jobs.ts`,
    from: `over.map(({ id }) => id)`,
    to: `over.slice(over.length).map(({ id }) => id)`,
    tests: [`${server}/jobs/run-jobs.test.ts`],
  },
  {
    what: "a line break in a name becomes a line of the mail",
    file: `${server}/mail/compose-mail.ts`,
    from: String.raw`text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim()`,
    to: `text.trim()`,
    tests: [`${server}/mail/mail.test.ts`],
  },
  {
    what: "a full voicemail takes another message",
    file: `${server}/features/voicemail/find-room.ts`,
    from: `  return null;\n`,
    to: `  return leaving;\n`,
    tests: [`${server}/features/voicemail/kept-messages.test.ts`],
  },
  {
    what: "a file is taken for what its name says",
    file: `${server}/features/files/recognise-file.ts`,
    from: `!kind.begins(await readHead(file.path))`,
    to: `!kind.begins(await readHead(file.path)) && file.sizeBytes < 0`,
    tests: [`${server}/features/files/files.test.ts`],
  },
  {
    what: "each organisation that a person makes has its own storage quota",
    file: `${server}/features/files/upload-files.ts`,
    from: `(await sumBytesOfPerson(tx, userId)) + newBytes > deps.quotaBytes`,
    to: `(await sumBytesOfPerson(tx, userId)) + newBytes < 0`,
    tests: [`${server}/features/files/files.test.ts`],
  },
  {
    what: "a payment's report needs no signature",
    file: "payments/stripe/webhook.ts",
    from: `event = stripe.webhooks.constructEvent(body, signature ?? "", webhookSecret);`,
    to: `event = JSON.parse(String(body));`,
    tests: ["payments/stripe/conformance.test.ts"],
  },
  {
    what: "an older standing of a top-up is applied after a newer one",
    file: `${server}/features/top-ups/settle-top-up.ts`,
    from: `    throw new ChangedMeanwhile();\n`,
    to: `    ChangedMeanwhile.name.trim();\n`,
    tests: [`${server}/features/top-ups/top-ups.test.ts`],
  },
  {
    what: "a prepaid call is placed without its first minute's price",
    file: `${server}/features/ledger/hold-for-call.ts`,
    from: `if (mode === "metered" || held) return;`,
    to: `if (mode === "metered" || held || amountMicros !== null) return;`,
    tests: [`${server}/features/calls/outbound/prepaid-calls.test.ts`],
  },
  {
    what: "a chargeback that was spent already isn't posted",
    file: `${server}/features/ledger/post-payment.ts`,
    from: `{ always: true }`,
    to: `{ always: false }`,
    tests: [`${server}/features/top-ups/top-ups.test.ts`],
  },
  {
    what: "one stray packet takes a call's audio over",
    file: `${server}/media-plane/worker/far-end-latch.ts`,
    from: `const whileSpeaking = { packets: 5, ms: 200 };`,
    to: `const whileSpeaking = { packets: 1, ms: 0 };`,
    tests: [`${server}/media-plane/worker/far-end-latch.test.ts`],
  },
  {
    what: "the microphone is sent to a far end that holds us",
    file: `${server}/media-plane/rtpengine/desired-state.ts`,
    from: `held || away || !farTakesSound`,
    to: `held || away`,
    tests: [`${server}/media-plane/interop/far-end-hold.test.ts`],
  },
];
