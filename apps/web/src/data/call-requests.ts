import type { CallUpdate } from "@leadline/contract/call-flags";
import * as calls from "@leadline/contract/calls";
import * as connections from "@leadline/contract/media-connections";
import * as transfers from "@leadline/contract/transfers";
import { request } from "./api-client.ts";
import { ProblemError } from "./problem-error.ts";

interface Media {
  offer?: string;
  mediaConnectionId?: string;
}

/** An E.164 number, and the chosen lead if several have it. */
export interface Callee {
  phoneNumber: string;
  leadId?: string | undefined;
  /** For a test call: the carrier to test, active or not. */
  carrierId?: string | undefined;
  /** What the callee sees, E.164; missing: automatic. */
  callerId?: string | undefined;
  /** False once the rep has confirmed. */
  askWhenClosed?: boolean;
  /** Why the rep calls outside the hours. */
  outsideHoursReason?: string | undefined;
}

/** A teammate, whose browser rings. */
export interface Colleague {
  userId: string;
}

export const isProblem = (error: unknown, ...codes: ProblemError["code"][]): boolean =>
  error instanceof ProblemError && codes.includes(error.code);

/** There was no response: the server may or may not have done it. */
export const isUnanswered = (error: unknown): boolean => isProblem(error, "time-out", "no-connection");

export interface StartWish {
  idempotencyKey: string;
  /** Returns false once the rep has hung up: then nothing more is sent, as it would dial. */
  isWanted: () => boolean;
  /** Called once the request has been sent. */
  onSent?: (() => void) | undefined;
}

/** Retries once if there is no response: the idempotency key prevents a second call. */
export async function startCall(call: Callee, media: Media, { idempotencyKey, isWanted, onSent }: StartWish) {
  const send = () =>
    request(calls.startCall, {
      headers: { "idempotency-key": idempotencyKey },
      body: { ...call, ...media },
    });
  try {
    const answer = send();
    onSent?.();
    return await answer;
  } catch (error) {
    if (isUnanswered(error) && isWanted()) return send();
    throw error;
  }
}

/** Another body needs another key. */
export const keyWithOffer = (idempotencyKey: string): string => `${idempotencyKey}-offer`;

/** The live call that a start with this key created, with or without an offer. */
export async function findStartedCall(idempotencyKey: string) {
  const find = (key: string) => request(calls.listCalls, { query: { live: "true", idempotencyKey: key } });
  const found = await Promise.all([find(idempotencyKey), find(keyWithOffer(idempotencyKey))]);
  return found.flat()[0] ?? null;
}

export const attachCall = (callSid: string, media: Media) =>
  request(calls.attachCallMedia, { params: { callSid }, body: media });
export const answerCall = (callSid: string, media: Media) =>
  request(calls.answerCall, { params: { callSid }, body: media });
export const declineCall = (callSid: string) => request(calls.declineCall, { params: { callSid } });
export const sendCallToVoicemail = (callSid: string) => request(calls.sendCallToVoicemail, { params: { callSid } });
export const hangUpCall = (callSid: string) => request(calls.hangUpCall, { params: { callSid } });
export const transferCall = (callSid: string, to: Callee | Colleague) =>
  request(transfers.transferCall, { params: { callSid }, body: { ...to } });
export const takeBackCall = (callSid: string) => request(transfers.takeBackCall, { params: { callSid } });
export const consult = (callSid: string, to: Callee | Colleague) =>
  request(transfers.consultInCall, { params: { callSid }, body: { ...to } });
export const joinCalls = (callSid: string) => request(transfers.joinCalls, { params: { callSid } });
export const completeTransfer = (callSid: string) => request(transfers.completeTransfer, { params: { callSid } });
export const sendDigits = (callSid: string, digits: string) =>
  request(calls.sendCallDigits, { params: { callSid }, body: { digits } });

const longestTurnMs = 1_000;
let lastUpdate: Promise<unknown> = Promise.resolve();

/**
 * Waits for the update before it, though no longer than a second: of two requests that are sent at once, either may
 * arrive first.
 */
export function updateCall(callSid: string, change: CallUpdate): Promise<calls.Call> {
  const turn = Promise.race([lastUpdate, new Promise((resolve) => setTimeout(resolve, longestTurnMs))]);
  const updated = turn.then(() => request(calls.updateCall, { params: { callSid }, body: change }));
  lastUpdate = updated.catch(() => {});
  return updated;
}
export const getCall = (callSid: string) => request(calls.getCall, { params: { callSid } });
export const listLiveCalls = () => request(calls.listCalls, { query: { live: "true" } });

export const readMediaConfiguration = () => request(connections.getMediaConfiguration, {});
export const openConnection = (offer: string) => request(connections.openMediaConnection, { body: { offer } });
export const restartConnection = (mediaConnectionId: string, offer: string) =>
  request(connections.renegotiateMediaConnection, { params: { mediaConnectionId }, body: { offer } });
/** Reaches the server even from a page that is being left. */
export const closeConnection = (mediaConnectionId: string) =>
  request(connections.closeMediaConnection, { params: { mediaConnectionId } }, { keepalive: true });
