import { setTimeout as sleep } from "node:timers/promises";

import { withoutSdesKeys } from "@leadline/adapter-kit/rtp/sdes";
import {
  type IncomingRequest,
  type IncomingResponseMessage,
  type Session,
  SessionDialog,
  type UserAgentServer,
} from "sip.js/lib/core/index.js";

import type { Trunk } from "../trunk.ts";
import { createAbilities } from "./abilities.ts";
import { answerChange } from "./answer-change.ts";
import { answerInfo } from "./answer-info.ts";
import { createCallEnd } from "./call-end.ts";
import { createCallTransfers } from "./call-transfers.ts";
import { causeOfBye, hungUpMeanwhile, isOfDescription, lost } from "./cause-of.ts";
import type { Established, EstablishOptions } from "./established-call.ts";
import { createFarDescription } from "./far-description.ts";
import { createInOrder } from "@leadline/adapter-kit/in-order";
import { reinvite } from "./re-invite.ts";
import { snapshotDialog } from "./leg-snapshot.ts";
import { referToReplacing } from "./replaces.ts";
import { createKeyOffers, sendKeys } from "./send-digits.ts";
import { sdpIn } from "../signalling/session-body.ts";
import { createSessionRefresh } from "./session-refresh.ts";

const longestHoldMs = 4_000;
/** The dialog no longer exists at the far end (RFC 5057). */
const goneStatuses = new Set([404, 408, 410, 481, 604]);

/** An answered call: hold, DTMF, the far end's changes, and session refreshes. */
export function establish(trunk: Trunk, session: Session, options: EstablishOptions): Established {
  const { local, emit, accepted } = options;
  const dialog = session instanceof SessionDialog ? session : null;
  const resumed = "allowed" in accepted ? accepted : null;
  const abilities = createAbilities(accepted);
  const far = createFarDescription({ answer: options.answer, isResumed: resumed !== null, local, emit });
  const ending = createCallEnd(session, {
    weAre: options.weAre,
    finish: options.finish,
    onClose() {
      refresher.stop();
      transfers.outliveCall();
    },
  });
  const { isOver, bye, endWithBye } = ending;
  const queue = createInOrder();
  const inOrder = (change: () => Promise<void>): Promise<void> => queue(async () => (isOver() ? undefined : change()));
  const transfers = createCallTransfers(trunk, session, { abilities, inOrder });
  const common = { dialog, abilities, minSeconds: options.minSessionSeconds ?? 0, isOver, inOrder };
  const refresher = createSessionRefresh(trunk, {
    ...common,
    reinvite: () => describeAnew(),
    onUpdateRefused: (response) => onRefusal(response),
    onExpired: () => endWithBye(lost),
  });

  const byeAsUnusable = (): Promise<void> => bye().then(() => options.finish(options.unusable));

  function onRefusal(response: IncomingResponseMessage, cause = lost): void {
    refresher.hearRefusal(response);
    if (goneStatuses.has(response.statusCode ?? 0)) endWithBye(cause);
  }

  /** Sends our current description. whenGone: the cause if the far end no longer knows the call. */
  function describeAnew({ whenGone = lost } = {}): Promise<number> {
    return reinvite(session, {
      isOver,
      offer: local.offer,
      headers: refresher.headers,
      onAccepted(response) {
        refresher.keepTime(response);
        far.hear(sdpIn(response), { isAnswer: true });
      },
      onRefused: (response) => onRefusal(response, response.statusCode === 481 ? whenGone : lost),
      onSilent: () => endWithBye(lost),
    });
  }

  function answerOffer(request: IncomingRequest | UserAgentServer): void {
    const theirs = far.current();
    const offered = answerChange(trunk, request, { dialog, local, theirs, agree: refresher.agree });
    if (offered === null) return;
    if (request.message.method === "INVITE") ending.awaitAcknowledgement();
    if (offered !== "") far.hear(offered, { isAnswer: false });
  }

  session.delegate = {
    onBye(request) {
      request.accept();
      ending.end(causeOfBye(request.message.getHeader("reason")));
    },
    onInvite: answerOffer,
    onAck({ message }) {
      ending.acknowledged();
      far.hear(sdpIn(message), { isAnswer: true });
      // No audio was agreed, because there is no first answer.
      if (far.current() === "") void byeAsUnusable();
    },
    onAckTimeout: ending.unacknowledged,
    onPrack: (request) => (options.onPrack ? options.onPrack(request) : request.reject({ statusCode: 481 })),
    onInfo: answerInfo,
    onNotify(request) {
      request.accept();
      transfers.hear(request.message);
    },
  };
  if (dialog) trunk.updates.set(dialog, answerOffer);
  if ("allowed" in accepted) {
    refresher.startUnasked();
    const { hasMoved } = accepted;
    // Sends our current address (RFC 3261, section 12.2.1.1), and checks that the far end is still there.
    void inOrder(async () => {
      const status = await describeAnew({ whenGone: hungUpMeanwhile });
      if (isOver()) return;
      // We can't hear a far end that keeps sending to our former port.
      if (hasMoved && isOfDescription(status)) return byeAsUnusable();
      emit({ type: "still-there" });
    });
  } else if ("statusCode" in accepted) refresher.keepTime(accepted);
  else refresher.agree(accepted);

  return {
    bye,
    snapshot({ withKeys }) {
      if (!dialog || isOver()) return null;
      const theirs = far.current();
      return {
        dialog: snapshotDialog(dialog),
        local: local.snapshot({ withKeys }),
        theirs: withKeys ? theirs : withoutSdesKeys(theirs),
        ...abilities.snapshot(),
      };
    },
    leave: ending.leave,
    setHold(held) {
      const told = inOrder(async () => {
        local.setHeld(held);
        await describeAnew();
      });
      // The audio has already stopped: no one needs to wait for a far end that takes its time.
      return Promise.race([told, sleep(longestHoldMs, undefined, { ref: false })]);
    },
    transfer: transfers.ask,
    replaceable: (by) => (by === trunk && dialog && abilities.knowsReplaces ? referToReplacing(dialog) : null),
    sendDigits: (digits) => inOrder(() => sendKeys(session, digits)),
    offerDigits: createKeyOffers(session, abilities),
  };
}
