import {
  DigestAuthentication,
  type IncomingResponseMessage,
  type LoggerFactory,
  type OutgoingRequestMessage,
  type UserAgentClient,
} from "sip.js/lib/core/index.js";

import { answering, type Answering, ChallengeAnswers, type Credentials } from "./digest.ts";
import { setParsed } from "./read-message.ts";

/** Per challenged request. */
const answersOf = new WeakMap<OutgoingRequestMessage, ChallengeAnswers>();

/**
 * Prepares a 401 or 407 so that the library resends the request with an answer for each realm so far, or doesn't resend
 * it. By itself, the library answers one challenge per request, in one realm.
 */
export function answerChallenge(
  client: UserAgentClient,
  response: IncomingResponseMessage,
  { credentials, loggerFactory }: { credentials: Credentials | null; loggerFactory: LoggerFactory },
): void {
  const { message: request } = client;
  const answers = credentials && (answersOf.get(request) ?? new ChallengeAnswers(credentials));
  const isAnswered = answers?.take(response) ?? false;
  for (const name of Object.keys(response.headers))
    if (/^(www|proxy)-authenticate$/i.test(name)) delete response.headers[name];
  if (!answers || !isAnswered) return;
  answersOf.set(request, answers);
  const asking = response.statusCode === 401 ? "www-authenticate" : "proxy-authenticate";
  response.addHeader(asking, "Digest");
  setParsed(response, asking, {});
  const guard = guardOf(client);
  guard.challenged = false;
  guard.stale = false;
  const isByProxy = response.statusCode === 407;
  guard.credentials = new PreparedAnswer(loggerFactory, answers, isByProxy ? "proxy-authorization" : "authorization");
}

const wireNames = { authorization: "Authorization", "proxy-authorization": "Proxy-Authorization" };

/** Whether a challenged request could be answered: it has then been sent twice. */
export const isSigned = (request: OutgoingRequestMessage): boolean =>
  answering.some((name) => request.getHeader(name) !== undefined);

/** The credentials headers of a request: an ACK repeats those of its INVITE (RFC 3261, section 22.1). */
export const credentialLines = (request: OutgoingRequestMessage): string[] =>
  answering.flatMap((name) => request.getHeaders(name).map((value) => `${wireNames[name]}: ${value}`));

/**
 * The library calls it after acknowledging the challenge, and writes the result into the one header that was asked for.
 */
class PreparedAnswer extends DigestAuthentication {
  readonly #answers: ChallengeAnswers;
  readonly #name: Answering;
  #value = "";

  constructor(loggerFactory: LoggerFactory, answers: ChallengeAnswers, name: Answering) {
    super(loggerFactory, undefined, undefined, undefined);
    this.#answers = answers;
    this.#name = name;
  }

  override authenticate(request: OutgoingRequestMessage): boolean {
    for (const name of answering) {
      const values = this.#answers.headers(request, name);
      if (values.length > 0) request.setHeader(name, values);
      // One header per realm, within what the library treats as a single value.
      if (name === this.#name) this.#value = values.join(`\r\n${wireNames[name]}: `);
    }
    return true;
  }

  override toString(): string {
    return this.#value;
  }
}

interface Guard {
  challenged: boolean;
  stale: boolean;
  credentials: DigestAuthentication;
}

/** What the library's authenticationGuard holds for a client, under these names in version 0.21.2. */
const guardOf = (client: UserAgentClient): Guard => client as unknown as Guard;
