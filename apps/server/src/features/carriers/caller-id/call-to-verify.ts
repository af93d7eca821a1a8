import { randomInt } from "node:crypto";
import type { CarrierHangUpCause, CarrierLegEvent } from "@leadline/adapter-kit/carrier";
import type { CarrierRefusal } from "@leadline/adapter-kit/carrier-refusal";
import type { callToVerify as endpoint } from "@leadline/contract/carriers";
import type { ResponseOf } from "@leadline/contract/endpoint";
import type { CallRate } from "@leadline/contract/rates";
import type { Tx } from "../../../db/transaction.ts";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import { announce } from "../../../media-plane/announce.ts";
import { refuseUncoveredCall } from "../../ledger/hold-for-call.ts";
import { reportBreaches } from "../../limits/breaches/report-breaches.ts";
import { refuseOverLimits } from "../../limits/refuse-over-limits.ts";
import { toProblem } from "../../media-connections/media-connections.ts";
import { realNumbersOfOthers } from "../../numbers/numbers-of-others.ts";
import type { RatedCall } from "../../rates/find-rate.ts";
import { countAttempts, giveBackAttempt } from "../../attempts/count-attempts.ts";
import { type CarrierDeps, noCarrier } from "../carrier-deps.ts";
import { waitForTurn, type Channel, reserveChannel } from "../channels/dial-permits.ts";
import type { DiallingCarrier, DiallingLeg } from "../channels/dialling-carrier.ts";
import type { CarrierInUse } from "../own-carriers.ts";
import { putCode } from "./caller-ids.table.ts";
import { hashCode } from "./hash-code.ts";
import { readVerifiedNumbers, unverifiedAt } from "./read-verified-numbers.ts";
import { sayCode } from "./say-code.ts";

const countedAs = "call to verify a caller ID";
const validForMinutes = 10;
const ringForMs = 45_000;
/** Until the code has been read out. */
const maxSeconds = 120;

/** Of the vendors whose accounts are connected by API key. */
export interface VerifyDeps extends CarrierDeps {
  needsNumber(tx: Tx, carrier: { organisationId: string; carrierId: string }): Promise<boolean>;
  explainRefusal(
    carrier: { organisationId: string; carrierId: string },
    refusal: CarrierRefusal,
  ): Promise<{ sentence: string } | null>;
  rates: {
    /** Never rejects. */
    refresh(call: RatedCall): Promise<void>;
    find(tx: Tx, call: RatedCall): Promise<{ rate: CallRate | null }>;
  };
}

/**
 * Calls the caller ID through the carrier and reads a code to whoever answers. A number is verified per server of the
 * carrier, so the call goes only to that server. An account's vendor takes no call without a number of the account: there
 * the number itself is shown, so that the vendor refuses one that it hasn't verified.
 */
export async function callToVerify(
  deps: VerifyDeps,
  caller: Member,
  carrierId: string,
): Promise<ResponseOf<typeof endpoint>> {
  const organisationId = caller.organisation.id;
  const { id: kind, carrier, connection } = await openOwn(deps, { organisationId, carrierId });
  const { number, server } = await findUnverified(deps, { organisationId, carrierId }, carrier);
  // The number may be a stranger's, who must not be called again and again. Only calls that ring count for all
  // organisations together, and only at one server, or strangers could use up the attempts of the number's owner.
  const atServer = `${server} ${number}`;
  const { withTransaction } = deps.database;
  await countAttempts(
    withTransaction,
    countedAs,
    { by: `${organisationId} ${number}`, most: 5 },
    { by: organisationId, most: 10 },
    { by: atServer, most: 5 },
  );
  let rang = false;
  const call = { carrierId, kind, carrier, connection, number, server, onRinging: () => void (rang = true) };
  return placeCall(deps, caller, call).catch(async (error: unknown) => {
    if (!rang) await giveBackAttempt(withTransaction, countedAs, atServer);
    throw error;
  });
}

interface CallToPlace
  extends Pick<CarrierInUse, "carrier" | "connection">, Pick<VerifyingCall, "number" | "server" | "onRinging"> {
  carrierId: string;
  kind: string;
}

async function placeCall(
  deps: VerifyDeps,
  caller: Member,
  { carrierId, kind, carrier, connection, number, server, onRinging }: CallToPlace,
): Promise<ResponseOf<typeof endpoint>> {
  const organisationId = caller.organisation.id;
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  const scope = { userId: caller.userId, organisationId };
  const rated = { organisationId, phoneNumber: number, carrier: kind, connection: { id: carrierId } };
  await deps.rates.refresh(rated);
  // Before the code, which replaces one that may just have been read out.
  const channel = await reserveChannel(deps.database, {
    organisationId,
    carrier: connection,
    user: { seconds: maxSeconds },
  });
  if (!channel) throw new Problem("caller-id-not-verified", allInUse(connection));
  const { expiresAt, callerId } = await reportBreaches(deps, scope, () =>
    deps.database.withTransaction(scope, async (tx) => {
      const { rate } = await deps.rates.find(tx, rated);
      // Only a prepaid organisation needs to know the price: the call is short, and to its own number.
      await refuseOverLimits(tx, { ...scope, phoneNumber: number, ...(rate && { rate }) });
      const codeHash = hashCode(carrierId, code);
      const which = { organisationId, carrierId };
      const accepted = {
        expiresAt: await putCode(tx, which, { number, server, codeHash, minutes: validForMinutes }),
        callerId: (await deps.needsNumber(tx, which)) ? number : null,
      };
      await refuseUncoveredCall(tx, { organisationId, rate });
      return accepted;
    }),
  ).catch(async (error: unknown) => {
    await channel.free();
    throw error;
  });
  const explain = async (refusal: CarrierRefusal): Promise<string | null> =>
    (await deps.explainRefusal({ organisationId, carrierId }, refusal))?.sentence ?? null;
  await ring(deps, carrier, { number, server, callerId, code, channel, explain, onRinging });
  return { number, server, expiresAt };
}

async function openOwn(
  deps: CarrierDeps,
  { organisationId, carrierId }: { organisationId: string; carrierId: string },
): Promise<CarrierInUse> {
  const found = await deps.ownCarriers.byId(organisationId, carrierId).catch((error: unknown) => {
    deps.log.error({ err: error, carrierId }, "a carrier could not be opened to verify its caller ID");
    throw unreachable();
  });
  if (!found) throw noCarrier();
  return found;
}

async function findUnverified(
  { database }: CarrierDeps,
  { organisationId, carrierId }: { organisationId: string; carrierId: string },
  carrier: DiallingCarrier,
): Promise<{ number: string; server: string }> {
  const shown = carrier.shownNumber?.();
  if (!shown?.number)
    throw new Problem("not-supported", "This carrier has no caller ID, or its server wasn’t found yet.");
  const { number, servers } = shown;
  const { taken, verifiedNumbers } = await database.withTransaction({ organisationId }, async (tx) => ({
    taken: await realNumbersOfOthers(tx, { organisationId, numbers: [number] }),
    verifiedNumbers: await readVerifiedNumbers(tx, { organisationId, connectionId: carrierId }),
  }));
  if (taken.length > 0)
    throw new Problem("caller-id-not-verified", `${number} belongs to another organisation on this server.`);
  const [server] = unverifiedAt({ number, servers }, verifiedNumbers);
  if (server === undefined)
    throw new Problem("not-supported", `${number} needs no verification: calls already show it.`);
  return { number, server };
}

interface VerifyingCall {
  number: string;
  server: string;
  callerId: string | null;
  code: string;
  channel: Channel;
  /** Called for early media and the answer too. */
  onRinging(): void;
  /** Null if the carrier's refusal has no meaning of its own. */
  explain(refusal: CarrierRefusal): Promise<string | null>;
}

/** Resolves once the callee has answered; the code is read out after that. */
async function ring(
  { mediaPlane, log }: CarrierDeps,
  carrier: DiallingCarrier,
  { number, server, callerId, code, channel, explain, onRinging }: VerifyingCall,
): Promise<void> {
  const { legId, offer } = await mediaPlane.openCarrierLeg().catch(async (error: unknown) => {
    await channel.free();
    return toProblem(error);
  });
  const answered = Promise.withResolvers<undefined>();
  const ended = Promise.withResolvers<CarrierHangUpCause>();
  const onEvent = (event: CarrierLegEvent): void => {
    if (event.type === "ended") return ended.resolve(event.cause);
    onRinging();
    if (!("answer" in event)) return;
    const accepted = mediaPlane.acceptCarrierAnswer(legId, event.answer);
    accepted.then(() => event.type === "answered" && answered.resolve(undefined), answered.reject);
  };
  let leg: DiallingLeg | null = null;
  const refusals: CarrierRefusal[] = [];
  const onRefused = (refusal: CarrierRefusal): void => void refusals.push(refusal);
  const close = async (): Promise<void> => {
    await Promise.all([mediaPlane.close(legId), leg?.hangUp()]).finally(() => channel.free());
  };
  const closeOrLog = () =>
    close().catch((error: unknown) => log.warn({ err: error }, "a verification call could not be ended"));
  let timer: NodeJS.Timeout | undefined;
  try {
    const permit = await waitForTurn(channel);
    const callSid = `verify-${legId}`;
    leg = await carrier.dial({ callSid, permit, to: number, callerId, server, offer, onEvent, onRefused });
    const unanswered = new Promise<"unanswered">((resolve) => (timer = setTimeout(resolve, ringForMs, "unanswered")));
    const came = await Promise.race([answered.promise, ended.promise, unanswered]);
    const refusal = refusals.at(-1);
    if (came !== undefined) throw notAnswered(number, came, refusal ? await explain(refusal) : null);
  } catch (error) {
    await closeOrLog();
    if (error instanceof Problem) throw error;
    log.error({ err: error }, "a caller ID could not be called");
    throw unreachable();
  } finally {
    clearTimeout(timer);
  }
  const spoken = announce(mediaPlane, legId, sayCode(code)).catch(() => undefined);
  void Promise.race([spoken, ended.promise]).then(closeOrLog);
}

const unreachable = (): Problem =>
  new Problem(
    "carrier-unreachable",
    "Your carrier can’t be reached, so the number wasn’t called. Test the connection.",
  );

const allInUse = (connection: CarrierInUse["connection"]): string =>
  `All lines at ${connection?.label ?? "the carrier"} are in use, so the number wasn’t called. Try again in a moment.`;

function notAnswered(number: string, why: CarrierHangUpCause | "unanswered", explained: string | null): Problem {
  const refused = (sentence: string) => new Problem("caller-id-not-verified", sentence);
  if (explained !== null) return refused(`The call to ${number} didn’t go through. ${explained}`);
  if (why === "unanswered" || why.reason === "no-answer") return refused(`${number} didn’t answer. Try again.`);
  if (why.reason === "busy") return refused(`${number} is busy. Try again in a moment.`);
  const status = why.sip === null ? "" : ` (${why.sip})`;
  return refused(
    `The call to ${number} didn’t go through${status}. The SIP trace shows why; some providers reject calls until they know the caller ID.`,
  );
}
