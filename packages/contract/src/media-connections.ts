import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, Timestamp } from "./identifiers.ts";

export const Sdp = z.string().min(1).max(20_000).describe("A session description (RFC 8866) of one audio line");
export const MediaConnectionId = Id.describe("A browser's audio connection (WebRTC) to Leadline");

const MediaConnectionParams = z.object({ mediaConnectionId: MediaConnectionId });

/** As in RTCPeerConnection's configuration (W3C webrtc, RTCIceServer). */
const IceServer = z.object({
  urls: z.array(z.string()).describe("TURN servers (RFC 7065)"),
  username: z.string(),
  credential: z.string(),
});

export const getMediaConfiguration = endpoint({
  method: "GET",
  path: "/v1/media-configuration",
  summary: "Read the configuration for a browser’s audio connections",
  access: "member",
  audit: null,
  success: [
    200,
    z.object({
      iceServers: z.array(IceServer).describe("Empty if none is needed"),
      expiresAt: Timestamp.nullable().describe("When their credentials expire; null if there are none"),
    }),
  ],
  problems: [],
});
export const openMediaConnection = endpoint({
  method: "POST",
  path: "/v1/media-connections",
  summary: "Negotiate an audio connection ahead of a call",
  access: "member",
  audit: null,
  body: z.object({ offer: Sdp }),
  success: [201, z.object({ mediaConnectionId: MediaConnectionId, answer: Sdp })],
  problems: ["sdp-not-usable", "media-unavailable"],
});
export const renegotiateMediaConnection = endpoint({
  method: "PUT",
  path: "/v1/media-connections/{mediaConnectionId}",
  summary: "Restart ICE with a new offer (RFC 8445, section 9)",
  access: "member",
  audit: null,
  params: MediaConnectionParams,
  body: z.object({ offer: Sdp }),
  success: [200, z.object({ answer: Sdp })],
  problems: ["sdp-not-usable", "media-connection-gone"],
});
export const closeMediaConnection = endpoint({
  method: "DELETE",
  path: "/v1/media-connections/{mediaConnectionId}",
  summary: "Close an audio connection",
  access: "member",
  audit: null,
  params: MediaConnectionParams,
  success: [204, null],
  problems: ["not-found"],
});
