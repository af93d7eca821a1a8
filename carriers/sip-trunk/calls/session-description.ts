import { isIPv6 } from "node:net";

import type { CarrierLegEvent } from "@leadline/adapter-kit/carrier";
import type { SoundCodec } from "@leadline/adapter-kit/rtp/g711";
import { readRtpDescription, soundCodecOf, soundPayloadTypes } from "@leadline/adapter-kit/rtp/rtp-description";
import * as sdpTransform from "sdp-transform";

type Direction = "sendrecv" | "sendonly" | "recvonly" | "inactive";
type Parsed = ReturnType<typeof sdpTransform.parse>;

/** The far end's half of each direction, seen from ours (RFC 3264, section 6.1). */
const mirrored: Record<Direction, Direction> = {
  sendrecv: "sendrecv",
  sendonly: "recvonly",
  recvonly: "sendonly",
  inactive: "inactive",
};
const whileHeld: Record<Direction, Direction> = {
  sendrecv: "sendonly",
  sendonly: "sendonly",
  recvonly: "inactive",
  inactive: "inactive",
};

/**
 * Our side of a call's sound: the media plane's own description, with the trunk's codecs, and with a version that grows each
 * time it is told anew (RFC 3264, section 8).
 */
export function createLocalDescription(offered: string, codecs: readonly SoundCodec[]) {
  let ours = withCodecs(sdpTransform.parse(offered), codecs);
  const listensHere = isLoopback(ours.connection?.ip);
  let version = Number(ours.origin?.sessionVersion ?? 1);
  let held = false;

  function write(media: Parsed["media"]): string {
    const origin = ours.origin && { ...ours.origin, sessionVersion: version++ };
    return sdpTransform.write({ ...ours, ...(origin && { origin }), media });
  }

  return {
    /** By which address the far end reaches this machine. A media plane that is not on it has said so itself. */
    reachedAt(host: string): void {
      if (!listensHere) return;
      const ipVer = isIPv6(host) ? 6 : 4;
      const origin = ours.origin && { ...ours.origin, ipVer, address: host };
      ours = { ...ours, ...(origin && { origin }), connection: { version: ipVer, ip: host } };
    },
    setHeld: (next: boolean): void => void (held = next),
    offer(): string {
      const direction = held ? "sendonly" : "sendrecv";
      return write(ours.media.map((media) => ({ ...media, direction })));
    },
    /** Answers a new offer of the far end's; null where it holds no line that we can serve. */
    answer(offer: string): string | null {
      const theirs = sdpTransform.parse(offer);
      const audio = ours.media[0];
      const wanted = readRtpDescription(offer);
      const at = theirs.media.findIndex(
        ({ type, port, protocol }) => type === "audio" && port > 0 && protocol === "RTP/AVP",
      );
      const codec = wanted?.codecs.find((each) => codecs.includes(each));
      if (!wanted || !audio || at < 0 || codec === undefined) return null;
      const events = wanted.telephoneEventType;
      const rtp = [
        { payload: soundPayloadTypes[codec], codec, rate: 8000 },
        ...(events === null ? [] : [{ payload: events, codec: "telephone-event", rate: 8000 }]),
      ];
      const answered = mirrored[directionOf(theirs, at, wanted.host)];
      return write(
        theirs.media.map((media, i) =>
          i === at
            ? {
                ...audio,
                rtp,
                payloads: rtp.map(({ payload }) => payload).join(" "),
                fmtp: events === null ? [] : [{ payload: events, config: "0-15" }],
                direction: held ? whileHeld[answered] : answered,
              }
            : { ...media, port: 0, rtp: media.rtp, fmtp: [] },
        ),
      );
    },
  };
}

const isLoopback = (host: string | undefined): boolean => host === "::1" || host?.startsWith("127.") === true;

export type LocalDescription = ReturnType<typeof createLocalDescription>;

function directionOf(session: Parsed, at: number, host: string): Direction {
  // How hold was told before there were directions (RFC 2543, section B.5).
  if (host === "0.0.0.0") return "sendonly";
  return session.media[at]?.direction ?? session.direction ?? "sendrecv";
}

function withCodecs(session: Parsed, codecs: readonly SoundCodec[]): Parsed {
  const order = codecs.map((codec) => soundPayloadTypes[codec]);
  return {
    ...session,
    media: session.media.map((media) => {
      const sound = order.filter((payload) => media.rtp.some((rtp) => rtp.payload === payload));
      const others = media.rtp.filter(({ codec }) => codec.toLowerCase() === "telephone-event");
      const payloads = [...sound, ...others.map(({ payload }) => payload)];
      const rtp = payloads.flatMap((payload) => media.rtp.filter((each) => each.payload === payload));
      return { ...media, rtp, payloads: payloads.join(" ") };
    }),
  };
}

/** The media plane takes the first codec of a far end's description: one that this trunk does not take is left out of it. */
export function inOurCodecs(event: CarrierLegEvent, codecs: readonly SoundCodec[]): CarrierLegEvent {
  if (!("answer" in event) || !readRtpDescription(event.answer)?.codecs.some((codec) => codecs.includes(codec)))
    return event;
  const session = sdpTransform.parse(event.answer);
  const isTaken = (payload: number): boolean => {
    const codec = soundCodecOf(payload);
    return codec === null || codecs.includes(codec);
  };
  const media = session.media.map((line) => ({
    ...line,
    rtp: line.rtp.filter(({ payload }) => isTaken(payload)),
    payloads: String(line.payloads ?? "")
      .split(" ")
      .filter((payload) => isTaken(Number(payload)))
      .join(" "),
  }));
  return { ...event, answer: sdpTransform.write({ ...session, media }) };
}

/** Whether sound can be sent there: an address of zeros is a way of saying "not now". */
export function isReachable(sdp: string): boolean {
  const description = readRtpDescription(sdp);
  return description !== null && description.host !== "0.0.0.0";
}
