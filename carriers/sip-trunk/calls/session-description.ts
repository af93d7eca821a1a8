import { isIPv6 } from "node:net";

import {
  codecLines,
  type Direction,
  isNowhere,
  parseSdp,
  readRtpDescription,
  type RtpCodec,
  soundCodecs,
  takesSound,
} from "@leadline/adapter-kit/rtp/rtp-description";
import { cryptoLines, readSdesKeys, withoutSdesKeys } from "@leadline/adapter-kit/rtp/sdes";
import * as sdpTransform from "sdp-transform";

import { chooseLine, type ChosenLine, type Protocol, type MediaEncryption } from "./choose-line.ts";

type Parsed = ReturnType<typeof sdpTransform.parse>;

/** The far end's half of each direction, from our side (RFC 3264, section 6.1). */
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
 * Our side of a call's audio: the media plane's description with the trunk's codecs, and a version that grows each time
 * it is sent (RFC 3264, section 8).
 */
export function createLocalDescription(
  offered: string,
  wanted: readonly RtpCodec[],
  goneOn?: Omit<DescriptionSnapshot, "offered">,
) {
  const plane = readRtpDescription(offered);
  const codecs = wanted.filter((codec) => plane?.codecs.includes(codec));
  let ours = sdpTransform.parse(offered);
  /** Never offered: every far end supports RTCP on the next port. */
  const canMuxReports = ours.media.some(({ rtcpMux }) => rtcpMux !== undefined);
  for (const line of ours.media) delete line.rtcpMux;
  if (plane) ours.media = ours.media.map((line) => ({ ...line, ...codecLines({ ...plane, codecs }) }));
  const ourKeys = readSdesKeys(offered);
  const canBeSealed = ourKeys.length > 0;
  const listensHere = isLoopback(ours.connection?.ip);
  let version = goneOn?.version ?? Number(ours.origin?.sessionVersion ?? 1);
  let held = goneOn?.held ?? false;
  const { sealing: wasSealing, told: wasTold } = (canBeSealed && goneOn) || inTheClear;
  let sealing = wasSealing;
  /** How our own offers look: at first as configured, later as both sides last agreed. */
  let told = wasTold;
  /** The far end's latest offer, and the codec of our answer: the only one in use from then on. */
  let answered: { offer: string; codec: RtpCodec } | null = null;

  function write(media: Parsed["media"]): string {
    const origin = ours.origin && { ...ours.origin, sessionVersion: version++ };
    return sdpTransform.write({ ...ours, ...(origin && { origin }), media });
  }

  function choose(theirs: string, { among = codecs, isOffer = false }: Choosing = {}): ChosenLine | null {
    const line = chooseLine(theirs, { codecs: among, sealing, isOffer });
    if (line) told = { protocol: line.protocol, keyed: line.key !== null };
    return line;
  }

  /** Answers a new offer from the far end; null if it has no usable line. */
  function answer(offer: string): string | null {
    const audio = ours.media[0];
    const line = choose(offer, { isOffer: true });
    const ourKey = ourKeys.find(({ suite }) => suite === line?.key?.suite);
    if (!line || !audio || (line.key && !ourKey)) return null;
    const theirs = parseSdp(offer);
    answered = { offer, codec: line.codec };
    const direction = mirrored[directionOf(theirs, line)];
    return write(
      theirs.media.map((media, i) =>
        i === line.index
          ? {
              ...audio,
              protocol: line.protocol,
              crypto: cryptoLines(line.key && ourKey ? [{ ...ourKey, tag: line.key.tag }] : []),
              ...codecLines({ ...line.description, codecs: [line.codec] }),
              ...(canMuxReports && media.rtcpMux && { rtcpMux: media.rtcpMux }),
              direction: held ? whileHeld[direction] : direction,
            }
          : { ...media, port: 0, rtp: media.rtp, fmtp: [], crypto: [] },
      ),
    );
  }

  function offerAnew(): string {
    const direction = held ? "sendonly" : "sendrecv";
    const crypto = cryptoLines(told.keyed ? ourKeys : []);
    return write(ours.media.map((media) => ({ ...media, protocol: told.protocol, crypto, direction })));
  }

  return {
    /** Whether the media plane provided keys. */
    canBeSealed,
    /**
     * The address at which the far end reaches this machine. A media plane on another machine has already set its own.
     */
    reachedAt(host: string): void {
      if (!listensHere) return;
      const ipVer = isIPv6(host) ? 6 : 4;
      const origin = ours.origin && { ...ours.origin, ipVer, address: host };
      ours = { ...ours, ...(origin && { origin }), connection: { version: ipVer, ip: host } };
    },
    /** firstOffer: RTP/AVP with keys (RFC 8643) leaves the choice to the far end. */
    setEncryption(as: MediaEncryption, firstOffer: Protocol): void {
      sealing = canBeSealed ? as : "never";
      const keyed = sealing !== "never";
      told = { protocol: keyed ? firstOffer : "RTP/AVP", keyed };
    },
    /** Whether our descriptions may contain keys: only over TLS. */
    mayHoldKeys: (): boolean => sealing !== "never",
    snapshot: ({ withKeys }: { withKeys: boolean }): DescriptionSnapshot => ({
      offered: withKeys ? offered : withoutSdesKeys(offered),
      version,
      held,
      sealing,
      told,
    }),
    setHeld: (next: boolean): void => void (held = next),
    isHeld: (): boolean => held,
    offer: offerAnew,
    answer,
    /** The same during a call, where the far end may leave the offer to us (empty) or close every line. */
    answerChange(offer: string): string | null {
      if (offer === "") return offerAnew();
      if (!closesSound(offer)) return answer(offer);
      return write(parseSdp(offer).media.map((line) => ({ ...line, port: 0, crypto: [] })));
    },
    /**
     * The far end's description in the form that the media plane takes: one line, in our codecs, with or without its
     * key. Null if none of it is usable. A codec that we left out of our offer is accepted if the far end knows no
     * other.
     */
    heard(theirs: string): string | null {
      const line = choose(theirs, answered?.offer === theirs ? { among: [answered.codec] } : {});
      return (line ?? choose(theirs, { among: soundCodecs }))?.alone ?? null;
    },
  };
}

interface Choosing {
  among?: readonly RtpCodec[];
  isOffer?: boolean;
}

/** The part of a description that another process needs. */
export interface DescriptionSnapshot {
  offered: string;
  version: number;
  held: boolean;
  sealing: MediaEncryption;
  told: { protocol: Protocol; keyed: boolean };
}

const inTheClear: Pick<DescriptionSnapshot, "sealing" | "told"> = {
  sealing: "never",
  told: { protocol: "RTP/AVP", keyed: false },
};

const isLoopback = (host: string | undefined): boolean => host === "::1" || host?.startsWith("127.") === true;

export type LocalDescription = ReturnType<typeof createLocalDescription>;

function directionOf(session: Parsed, { index, description }: Pick<ChosenLine, "index" | "description">): Direction {
  const direction = session.media[index]?.direction ?? session.direction ?? "sendrecv";
  if (!isNowhere(description.host)) return direction;
  return direction === "sendrecv" || direction === "sendonly" ? "sendonly" : "inactive";
}

/** Whether the far end that sent this description wants no audio from us (RFC 3264, section 8.4). */
export function isOnHold(sdp: string): boolean {
  const description = readRtpDescription(sdp);
  return description !== null && !takesSound(description);
}

/** Whether the far end has closed every audio line (port 0, RFC 3264, section 8.2), which puts the audio on hold. */
export function closesSound(sdp: string): boolean {
  const audio = parseSdp(sdp).media.filter(({ type }) => type === "audio");
  return audio.length > 0 && audio.every(({ port }) => port === 0);
}

/** The same description, neither sending nor receiving. */
export function inactive(sdp: string): string {
  const session = parseSdp(sdp);
  return sdpTransform.write({ ...session, media: session.media.map((line) => ({ ...line, direction: "inactive" })) });
}
