import { setTimeout as sleep } from "node:timers/promises";

import type { CarrierHangUpCause, CarrierLeg, HangUpNotice } from "@leadline/adapter-kit/carrier";
import { withoutSdesKeys } from "@leadline/adapter-kit/rtp/sdes";
import {
  type IncomingRequest,
  type IncomingRequestMessage,
  type IncomingResponseMessage,
  type Session,
  SessionDialog,
  type UserAgentServer,
} from "sip.js/lib/core/index.js";

import type { Trunk } from "../trunk.ts";
import { createBye } from "./bye.ts";
import { dialledAs } from "./caller-shown.ts";
import { causeOfBye, hungUpMeanwhile, isOfDescription, lost } from "./cause-of.ts";
import type { Established, EstablishOptions } from "./established-call.ts";
import { mayDescribe } from "./sealing-over.ts";
import { sdpIn } from "../signalling/session-body.ts";
import { closesSound, inactive } from "./session-description.ts";
import { crossesOurs } from "./open-offer.ts";
import { notices } from "./reason.ts";
import { answerInfo } from "./answer-info.ts";
import { isReplaceable, referToReplacing, supportsReplaces } from "./replaces.ts";
import { createInterval, whyTooBrief } from "./session-interval.ts";
import { agreeToSession, createSessionTimer, readSessionExpires } from "./session-timer.ts";
import { rememberDialog } from "./remembered-leg.ts";
import { createKeyOffers, sendKeys } from "./send-keys.ts";
import { sendUpdate } from "./send-update.ts";
import { createTheirHold } from "./their-hold.ts";
import { startTransfer, type Transfer } from "./transfer.ts";

/** RFC 3261, section 14.1: who owns the Call-ID waits longer, so that two who asked at once do not do so again. */
const glareMs = (): number => 2_100 + Math.random() * 1_900;
const longestHoldMs = 4_000;
/** As long as an unanswered request is sent again (RFC 3261, section 17.1.2.2). */
const firstWordMs = 32_000;
/** The dialog is gone at the far end (RFC 5057): there is no one to go on with. */
const goneStatuses = new Set([404, 408, 410, 481, 604]);
const sdp = "application/sdp";

/** A call that has been answered: hold, keys, the far end's own changes, and the proofs that it is still there. */
export function establish(trunk: Trunk, session: Session, options: EstablishOptions): Established {
  const { local, tell, accepted } = options;
  const dialog = session instanceof SessionDialog ? session : null;
  let updateIsUnknown = false;
  const takes = (method: string): boolean => {
    if (method === "UPDATE" && updateIsUnknown) return false;
    if ("allowed" in accepted) return accepted.allowed.includes(method);
    return new RegExp(String.raw`\b${method}\b`, "i").test(accepted.getHeaders("allow").join());
  };
  const knowsReplaces = "allowed" in accepted ? accepted.knowsReplaces : supportsReplaces(accepted);
  const mayTakeInfo = takes("INFO") || (!("allowed" in accepted) && !accepted.hasHeader("allow"));
  let over = false;
  const interval = createInterval(trunk.settings.sessionSeconds);
  let unsureOfFarEnd = "allowed" in accepted;
  let theirs = options.answer;
  const followHold = createTheirHold({ known: "allowed" in accepted ? null : false, local, tell });
  let last: Promise<unknown> = Promise.resolve();
  let transfer: Transfer | null = null;
  const byes = createBye(session, () => endWithBye(lost));
  const { promise: acknowledgement, resolve: acknowledged } = Promise.withResolvers<void>();
  /** Nobody asked for proofs (RFC 4028, section 7.2): they are ours to ask for. */
  const unasked = { seconds: trunk.settings.sessionSeconds, weRefresh: true };
  const timer = createSessionTimer({
    refresh: () => void inOrder(refresh),
    expire: () => endWithBye(lost),
  });

  function inOrder(change: () => Promise<void>): Promise<void> {
    const next = last.then(() => (over ? undefined : change()));
    last = next.catch(() => {});
    return next;
  }

  function end(cause: CarrierHangUpCause): void {
    if (over) return;
    close();
    options.finish(cause);
  }

  /** The far end may hear nothing any more, but the carrier goes on billing until it's told. */
  function endWithBye(cause: CarrierHangUpCause): void {
    if (over) return;
    close();
    void byes.send(notices.lost);
    options.finish(cause);
  }

  function close(): void {
    over = true;
    timer.stop();
    byes.stopAwaiting();
    if (transfer && dialog) hearAfterCall(dialog, transfer);
  }

  /** Who was sent elsewhere goes there without us, and tells how that ends. */
  function hearAfterCall({ id }: SessionDialog, open: Transfer): void {
    trunk.core.afterCalls.set(id, open.hear);
    void open.settled.then(() => trunk.core.afterCalls.delete(id));
  }

  /** What does not serve changes nothing. */
  function hear(described: string, { isAnswer = false } = {}): void {
    const heard = theirs !== "" && closesSound(described) ? inactive(theirs) : local.heard(described);
    if (heard === null) return;
    if (heard !== theirs) tell({ type: "redescribed", answer: heard });
    theirs = heard;
    followHold(heard, { isAnswer });
  }

  function agree(request: IncomingRequestMessage): string[] {
    const agreed = agreeToSession(request, trunk.settings.sessionSeconds);
    timer.set(agreed ?? unasked);
    return agreed?.headers ?? [];
  }

  /** A response that names nobody leaves it to us. */
  function keepTime(response: IncomingResponseMessage): void {
    const agreed = readSessionExpires(response.getHeader("session-expires"), trunk.settings.sessionSeconds);
    timer.set(agreed ? { seconds: agreed.seconds, weRefresh: agreed.refresher !== "uas" } : unasked);
  }

  async function refresh(): Promise<void> {
    const prove = (): Promise<number> =>
      takes("UPDATE") && dialog
        ? sendUpdate(trunk, dialog, { headers: [...interval.headers(), contact()], keepTime, onRefused })
        : reinvite();
    const first = await prove();
    // Some name UPDATE in Allow and don't implement it.
    updateIsUnknown ||= first === 405 || first === 501;
    const status = [405, 422, 501].includes(first) && !over ? await prove() : first;
    // Refused is answered: it is there, and is asked again.
    if (!over && status >= 300) timer.set({ seconds: trunk.settings.sessionSeconds / 2, weRefresh: true });
  }

  function onRefused(message: IncomingResponseMessage, cause = lost): void {
    interval.hear(message);
    if (goneStatuses.has(message.statusCode ?? 0)) endWithBye(cause);
  }

  const contact = (): string => `Contact: ${trunk.core.configuration.contact.toString()}`;

  /** Tells our side anew. A far end that will not have it keeps the old one: nothing is lost by that. */
  async function reinvite(): Promise<number> {
    for (let tries = 0; tries < 3; tries++) {
      const status = await reinviteOnce();
      if (status !== 491) return status;
      await sleep(glareMs());
    }
    return 491;
  }

  function reinviteOnce(): Promise<number> {
    if (over) return Promise.resolve(481);
    const { promise, resolve } = Promise.withResolvers<number>();
    const body = { contentDisposition: "session", contentType: sdp, content: local.offer() };
    const invited = { onAccept, onReject, onRedirect: () => resolve(302) };
    try {
      session.invite(invited, { extraHeaders: [...interval.headers(), contact()], body });
    } catch {
      // The far end is in the middle of a change of its own.
      return Promise.resolve(491);
    }
    return promise;

    function onAccept({ message, ack }: { message: IncomingResponseMessage; ack: () => unknown }): void {
      ack();
      keepTime(message);
      hear(sdpIn(message), { isAnswer: true });
      resolve(200);
    }
    function onReject({ message }: { message: IncomingResponseMessage }): void {
      onRefused(message, unsureOfFarEnd && message.statusCode === 481 ? hungUpMeanwhile : lost);
      resolve(message.statusCode ?? 500);
    }
  }

  /** The far end tells its side anew: it holds, resumes, moves, or only proves that it is there. */
  function answerChange(request: IncomingRequest | UserAgentServer): void {
    const { message } = request;
    const offered = sdpIn(message);
    if (crossesOurs(message, { dialog, theirs })) return void request.reject({ statusCode: 491 });
    const tooBrief = whyTooBrief(message, trunk.settings.sessionSeconds);
    if (tooBrief) return void request.reject(tooBrief);
    const describes = offered !== "" || message.method === "INVITE";
    const answered = describes && mayDescribe(message, local) ? local.answerChange(offered) : null;
    const content = describes ? answered : "";
    if (content === null) return void request.reject({ statusCode: 488 });
    const extraHeaders = [...agree(message), contact()];
    request.accept({
      statusCode: 200,
      extraHeaders,
      ...(content !== "" && { body: { contentDisposition: "session", contentType: sdp, content } }),
    });
    if (message.method === "INVITE") byes.awaitAcknowledgement();
    if (offered !== "") hear(offered);
  }

  session.delegate = {
    onBye(request) {
      request.accept();
      end(causeOfBye(request.message.getHeader("reason")));
    },
    onInvite: answerChange,
    onAck({ message }) {
      acknowledged();
      byes.stopAwaiting();
      byes.sendOwed();
      hear(sdpIn(message), { isAnswer: true });
      // What the first answer is missing here was never agreed.
      if (theirs === "") void bye().then(() => options.finish(options.unusable));
    },
    onAckTimeout() {
      byes.sendOwed();
      endWithBye(lost);
    },
    onPrack: (request) => (options.onPrack ? options.onPrack(request) : request.reject({ statusCode: 481 })),
    onInfo: answerInfo,
    onNotify(request) {
      request.accept();
      transfer?.hear(request.message);
    },
  };
  if (dialog) trunk.updates.set(dialog, answerChange);
  if ("allowed" in accepted) {
    timer.set(unasked);
    // Tells where we are now (RFC 3261, section 12.2.1.1), and whether the far end still is.
    void inOrder(async () => {
      const status = await reinvite();
      unsureOfFarEnd = false;
      if (over) return;
      // We do not hear one that goes on sending to where nobody listens any more.
      if (accepted.hasMoved && isOfDescription(status)) return bye().then(() => options.finish(options.unusable));
      tell({ type: "still-there" });
    });
  } else if ("statusCode" in accepted) keepTime(accepted);
  else agree(accepted);
  // Whoever is called by us, or calls, may hold at once: after the answer is told.
  if (!("allowed" in accepted) && theirs !== "") queueMicrotask(() => followHold(theirs, { isAnswer: false }));

  async function bye(why?: HangUpNotice): Promise<void> {
    if (over) return;
    close();
    // Who was called may not end the call before the caller has acknowledged the answer (RFC 3261, section 15).
    if (options.weAre === "uas") await Promise.race([acknowledgement, sleep(2_000, undefined, { ref: false })]);
    // Told is told: a far end that does not answer is asked again without anybody waiting.
    await Promise.race([byes.send(why), sleep(1_000, undefined, { ref: false })]);
  }

  /** Another call: where the far end has said that it knows REFER, and the other one that it knows Replaces (RFC 5589, section 7). */
  function referToOf(to: string | CarrierLeg): string | null {
    if (typeof to === "string") return `<${trunk.uriOf(dialledAs(trunk.settings.numberFormat, to))}>`;
    return takes("REFER") && isReplaceable(to) ? to.replaceable(trunk) : null;
  }

  return {
    bye,
    remember({ withKeys }) {
      if (!dialog || over) return null;
      const described = { local: local.remember({ withKeys }), theirs: withKeys ? theirs : withoutSdesKeys(theirs) };
      return {
        dialog: rememberDialog(dialog),
        ...described,
        allowed: ["UPDATE", "REFER", "INFO"].filter((each) => takes(each) || (each === "INFO" && mayTakeInfo)),
        knowsReplaces,
      };
    },
    leave: close,
    setHold(held) {
      const told = inOrder(async () => {
        local.setHeld(held);
        await reinvite();
      });
      // The sound has stopped already: nobody need wait for a far end that takes its time to say so.
      return Promise.race([told, sleep(longestHoldMs, undefined, { ref: false })]);
    },
    transfer({ to, onEvent }) {
      const refuse = (reason: "not-supported" | "transfer-refused"): void =>
        onEvent({ type: "refused", why: { reason, sip: null } });
      const referTo = referToOf(to);
      if (referTo === null) return refuse("not-supported");
      // Behind the hold that goes before it.
      inOrder(async () => {
        const ringMs = trunk.settings.ringSeconds * 1000;
        transfer?.stop();
        transfer = startTransfer(session, {
          headers: [`Refer-To: ${referTo}`, `Referred-By: <${trunk.accountUri}>`, contact()],
          patienceMs: { first: Math.min(firstWordMs, ringMs), last: ringMs },
          onEvent,
        });
      }).catch(() => refuse("transfer-refused"));
    },
    replaceable: (by) => (by === trunk && dialog && knowsReplaces ? referToReplacing(dialog) : null),
    sendDigits: (digits) => inOrder(() => sendKeys(session, digits)),
    offerDigits: createKeyOffers(session, { mayTakeInfo }),
  };
}
