import { z } from "zod";
import type { NgAnswer } from "./ng-client.ts";

const Endpoint = z.object({ address: z.string().optional(), port: z.coerce.number().optional() }).optional();
const Stream = z.object({
  flags: z.array(z.string()).default([]),
  stats: z.object({ packets: z.coerce.number(), errors: z.coerce.number().default(0) }),
  "last packet": z.coerce.number().default(0),
  "local port": z.coerce.number().optional(),
  endpoint: Endpoint,
  "advertised endpoint": Endpoint,
});
const Tag = z.object({ medias: z.array(z.object({ streams: z.array(Stream) })) });
const Query = z.object({ tags: z.record(z.string(), Tag) });

export interface Side {
  /** RTP packets that were received and passed on. */
  packets: number;
  /** Packets that were rejected, such as a stranger's: they came from another address than this side's. */
  refused: number;
  /** By the rtpengine's clock, in seconds; includes packets that it passes on to no one, such as comfort noise. */
  lastPacketAt: number;
  /** DTLS has completed, with the certificate from its description. */
  isSecure: boolean;
  /** Its audio is sent to and accepted from another address than the described one. */
  isElsewhere: boolean;
}

/** Reads an rtpengine's report on a session's two sides. */
export function readSides(answer: NgAnswer, sides: { near: string; far: string }): { near: Side; far: Side } {
  const { tags } = Query.parse(answer);
  return { near: sideOf(tags[sides.near]), far: sideOf(tags[sides.far]) };
}

/** The tags of all current parties. An rtpengine also lists those that have left, without a port. */
export const readParties = (answer: NgAnswer): string[] =>
  Object.entries(Query.parse(answer).tags).flatMap(([tag, { medias }]) =>
    medias[0]?.streams[0]?.["local port"] === undefined ? [] : tag,
  );

/** The address from which a party's audio is accepted; null if it has none. */
export function readEndpoint(answer: NgAnswer, tag: string): { host: string; port: number } | null {
  const { address, port } = Query.parse(answer).tags[tag]?.medias[0]?.streams[0]?.endpoint ?? {};
  return address === undefined || port === undefined ? null : { host: address, port };
}

function sideOf(tag: z.output<typeof Tag> | undefined): Side {
  const stream = tag?.medias[0]?.streams[0];
  return {
    packets: (stream?.stats.packets ?? 0) - (stream?.stats.errors ?? 0),
    refused: stream?.stats.errors ?? 0,
    lastPacketAt: stream?.["last packet"] ?? 0,
    isSecure: stream?.flags.includes("DTLS fingerprint verified") ?? false,
    isElsewhere: stream?.endpoint?.address !== stream?.["advertised endpoint"]?.address,
  };
}
