import type { Break } from "./breaks.ts";

const server = "apps/server/src";
const trunk = "carriers/sip-trunk";
const readItself = `process.getBuiltinModule("node:fs").readFileSync`;

/** Defects in what keeps one user's file, DNS or SIP server, or a silent far end, from holding up everyone. */
export const faultBreaks: readonly Break[] = [
  {
    what: "the API's thread reads imports itself",
    file: `${server}/features/lead-imports/reading/read-csv.ts`,
    from: `  const answer = await thread.ask(`,
    to: `  if (question.kind === "tidy") ${readItself}(question.path);\n  const answer = await thread.ask(`,
    tests: [`${server}/threads/reading-uploads.test.ts`],
  },
  {
    what: "the API's thread reads greetings itself",
    file: `${server}/features/voicemail/greeting/read-greeting.ts`,
    from: `  const told = await thread.ask(`,
    to: `  ${readItself}(file.path);\n  const told = await thread.ask(`,
    tests: [`${server}/threads/reading-uploads.test.ts`],
  },
  {
    what: "an upload is read to its end though its sender has gone",
    file: `${server}/threads/open-work-thread.ts`,
    from: `      signal?.addEventListener("abort", onAbort);\n`,
    to: ``,
    tests: [`${server}/threads/reading-uploads.test.ts`],
  },
  {
    what: "a thread that works for a sender who has gone goes on",
    file: `${server}/threads/open-work-thread.ts`,
    from: `    if (current === waiting) {\n      release();\n      finish();\n    }\n`,
    to: ``,
    tests: [`${server}/threads/open-work-thread.test.ts`],
  },
  {
    what: "attachments are read whole",
    file: `${server}/features/files/recognise-file.ts`,
    from: `    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);`,
    to: `    const buffer = await handle.readFile();\n    const bytesRead = buffer.length;`,
    tests: [`${server}/features/files/files.test.ts`],
  },
  {
    what: "DNS is waited for however long it takes",
    file: `${trunk}/transport/locate.ts`,
    from: `const locatedWithinMs = 8_000;`,
    to: `const locatedWithinMs = 8_000_000;`,
    tests: [`${trunk}/check-answers.test.ts`],
  },
  {
    what: "a trunk uses as many addresses as DNS holds",
    file: `${trunk}/transport/locate.ts`,
    from: `  return found.slice(0, maxAddressesOfName);`,
    to: `  return found.slice(0, maxAddressesOfName * 1_000);`,
    tests: [`${trunk}/targets.test.ts`],
  },
  {
    what: "a trunk uses as many SRV records as DNS holds",
    file: `${trunk}/transport/locate.ts`,
    from: `  return answers.flat().slice(0, maxServices);`,
    to: `  return answers.flat();`,
    tests: [`${trunk}/targets.test.ts`],
  },
  {
    what: "a far end floods a call of ours",
    file: `${trunk}/transport/sip-transport.ts`,
    from: ` && !admission.takesInCall())`,
    to: ` && !admission.takesInCall() && closed)`,
    tests: [`${trunk}/transport/sip-transport.test.ts`],
  },
  {
    what: "an address that DNS named once begins calls for ever",
    file: `${trunk}/transport/admission.ts`,
    from: `if (addresses.length === 0 || nowMs - namedAtMs > namedForMs) named`,
    to: `if (addresses.length === 0 && nowMs - namedAtMs < namedForMs) named`,
    tests: [`${trunk}/transport/admission.test.ts`],
  },
  {
    what: "a trunk with twenty addresses begins calls at twenty times the rate",
    file: `${trunk}/transport/admission.ts`,
    from: `.take() && newCallsOfAll.take()`,
    to: `.take() || newCallsOfAll.take()`,
    tests: [`${trunk}/transport/admission.test.ts`],
  },
  {
    what: "many addresses give each one a new burst of calls",
    file: `${trunk}/transport/set-latest.ts`,
    from: `map.delete(oldest)`,
    to: `map.clear()`,
    tests: [`${trunk}/transport/set-latest.test.ts`, `${trunk}/transport/admission.test.ts`],
  },
  {
    what: "each packet with another sender is logged",
    file: `${trunk}/transport/log-dropped.ts`,
    from: ` || separate[senders].take() ? own`,
    to: ` || separate[senders] ? own`,
    tests: [`${trunk}/transport/log-dropped.test.ts`],
  },
  {
    what: "lists of every length take the plans of all other statements",
    file: `${server}/db/connection-dialect.ts`,
    from: `  if (known >= maxLengths) return "";\n`,
    to: ``,
    tests: [`${server}/db/connection-dialect.test.ts`],
  },
  {
    what: "an INFO that stays unanswered holds up its key",
    file: `${trunk}/calls/send-digits.ts`,
    from: `Promise.race([promise, sleep(answerMs, false, { ref: false })])`,
    to: `Promise.race([promise, sleep(answerMs * 100, false, { ref: false })])`,
    tests: [`${trunk}/calls/send-digits.test.ts`, `${server}/features/calls/in-call/keys-to-trunks.test.ts`],
  },
  {
    what: "a person can upload as many files at once as they like",
    file: `${server}/http/uploads-in-progress.ts`,
    from: `      if (own >= mostEach) throw`,
    to: `      if (own >= 100) throw`,
    tests: [`${server}/http/uploads.test.ts`],
  },
  {
    what: "all people together can upload as many files at once as they like",
    file: `${server}/http/uploads-in-progress.ts`,
    from: `      if (inProgress >= mostAtOnce)`,
    to: `      if (inProgress >= mostAtOnce * 100)`,
    tests: [`${server}/http/uploads.test.ts`],
  },
  {
    what: "more than an endpoint takes is received before it is refused",
    file: `${server}/http/receive-files.ts`,
    from: `  if (bytes > rules.most * rules.largestBytes) throw larger(rules);\n`,
    to: ``,
    tests: [`${server}/http/uploads.test.ts`],
  },
  {
    what: "more than the storage has room for is received before it is refused",
    file: `${server}/http/serve-route.ts`,
    from: `        if (caller !== null && announced !== null) await route.beforeFiles?.(caller, announced);\n`,
    to: ``,
    tests: [`${server}/features/files/upload-faults.test.ts`],
  },
  {
    what: "uploads of killed processes stay on the disk",
    file: `${server}/http/incoming-folder.ts`,
    from: `  if (machine === hostname() && !isRunning(Number(processId))) return true;\n`,
    to: ``,
    tests: [`${server}/http/uploads.test.ts`],
  },
  {
    what: "refused attempts leave rows",
    file: `${server}/features/attempts/count-attempts.ts`,
    from: `(tx) => countWithin(tx, keyed));`,
    to: `(tx) =>
    countWithin(tx, keyed).then(() => null, (error: Error) => error)).then((error) => {
      if (error !== null) throw error;
    });`,
    tests: [`${server}/features/sessions/sign-in-throttle.test.ts`],
  },
  {
    what: "everybody's refreshes wait in one queue",
    file: `${server}/features/sessions/refresh-session.ts`,
    from: `{ system: "a refresh token says who it is for", by }`,
    to: `{ system: "a refresh token says who it is for" }`,
    tests: [`${server}/features/sessions/strangers-queue.test.ts`],
  },
  {
    what: "everybody's logouts wait in one queue",
    file: `${server}/features/sessions/logout.ts`,
    from: `session to end", by: throttledAddress(given.ip) };`,
    to: `session to end" };`,
    tests: [`${server}/features/sessions/strangers-queue.test.ts`],
  },
  {
    what: "everybody's logins wait in one queue",
    file: `${server}/features/sessions/login.ts`,
    from: `forgive its attempt", by }`,
    to: `forgive its attempt" }`,
    tests: [`${server}/features/sessions/strangers-queue.test.ts`],
  },
  {
    what: "unknown tokens can log out without limit",
    file: `${server}/features/sessions/logout.ts`,
    from: `  if (ended === null) await countUnknownToken(deps, given.ip);\n`,
    to: ``,
    tests: [`${server}/features/sessions/strangers-queue.test.ts`],
  },
];
