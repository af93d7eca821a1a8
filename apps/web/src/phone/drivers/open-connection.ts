import { closeConnection } from "../../data/call-requests.ts";
import { iceServers } from "./ice-servers.ts";
import { type AudioPeer, openAudioPeer } from "./open-audio-peer.ts";

/** A negotiated audio connection: the local peer and its id on the server. */
export interface Connection {
  id: string;
  peer: AudioPeer;
}

export interface ConnectionEvents {
  onIceState: (peer: AudioPeer, state: RTCIceConnectionState) => void;
  onGone: (peer: AudioPeer) => void;
}

export interface Negotiated {
  mediaConnectionId?: string | undefined;
  answer?: string | undefined;
}

/** A peer whose offer is made but not sent yet. */
export interface OfferedPeer {
  peer: AudioPeer;
  offer: string;
}

export async function prepareOffer(events: ConnectionEvents): Promise<OfferedPeer> {
  const peer: AudioPeer = openAudioPeer(await iceServers(), {
    onIceState: (state) => events.onIceState(peer, state),
    onGone: () => events.onGone(peer),
  });
  try {
    return { peer, offer: await peer.makeOffer({ restartIce: false }) };
  } catch (error) {
    peer.close();
    throw error;
  }
}

/**
 * Sends the offer with `send` (a connection, a call or an attachment: the response is the same for all three) and
 * applies the answer. `connection` is null if the response has none: the repeated call has ended.
 */
export async function negotiate<T extends Negotiated>(
  { peer, offer }: OfferedPeer,
  send: (offer: string) => Promise<T>,
): Promise<{ answered: T; connection: Connection | null }> {
  try {
    const answered = await send(offer);
    if (answered.mediaConnectionId === undefined || answered.answer === undefined) {
      peer.close();
      return { answered, connection: null };
    }
    await peer.acceptAnswer(answered.answer);
    return { answered, connection: { id: answered.mediaConnectionId, peer } };
  } catch (error) {
    peer.close();
    throw error;
  }
}

/**
 * Closes both ends; a server that can't be reached will notice by itself. The server comes first: closing the peer ends
 * the secure transport, after which the server no longer knows the connection.
 */
export function closeBothEnds({ id, peer }: Connection): void {
  peer.fallSilent();
  void closeConnection(id)
    .catch(() => {})
    .finally(() => peer.close());
}
