import { isIP } from "node:net";

import type { CarrierHangUpCause, CarrierLegEvent } from "@leadline/adapter-kit/carrier";
import { canonicalAddress } from "@leadline/adapter-kit/outbound/canonical-address";
import { mayBeBehindNat } from "@leadline/adapter-kit/outbound/behind-nat";
import { isPublicAddress } from "@leadline/adapter-kit/outbound/public-address";
import { isNowhere, readRtpDescription } from "@leadline/adapter-kit/rtp/rtp-description";

import type { Trunk } from "../trunk.ts";
import { audioAddressRefused, lost } from "./cause-of.ts";

/** `address`: null if the host has none. */
type Placed = { sdp: string } | { host: string; address: string | null };

/** The parts of a trunk that determine where audio may go. */
type Ways = Pick<Trunk, "addressesOf" | "onAudioRefused"> & { transport: Pick<Trunk["transport"], "mayReach"> };

/**
 * The description with an address that audio may be sent to: a far end could name one in this server's own networks.
 * Synchronous unless it names a host. `peer`: where its signalling comes from.
 */
export function placeAudio(ways: Ways, sdp: string, peer: string | null): Placed | Promise<Placed> {
  const host = readRtpDescription(sdp)?.host;
  if (host === undefined || isNowhere(host)) return { sdp };
  const place = (addresses: readonly string[]): Placed => {
    const address = addresses.find(ways.transport.mayReach) ?? behindNat(addresses, peer);
    return address === undefined
      ? { host, address: addresses[0] ?? null }
      : { sdp: address === host ? sdp : atAddress(sdp, host, address) };
  };
  return isIP(host) === 0 ? ways.addressesOf(host).then(place) : place([canonicalAddress(host)]);
}

/** A peer behind a NAT names a private address: its audio comes from where its signalling does. */
const behindNat = (addresses: readonly string[], peer: string | null): string | undefined =>
  peer !== null && isPublicAddress(peer) && addresses.some(mayBeBehindNat) ? peer : undefined;

const atAddress = (sdp: string, host: string, address: string): string =>
  sdp.replaceAll(/^c=IN IP[46] (\S+)/gm, (line, named) =>
    named === host ? `c=IN IP${isIP(address)} ${address}` : line,
  );

/** Whether this offer names a forbidden audio address; host names aren't looked up. */
export function isAudioRefused(ways: Ways, sdp: string, peer: string | null): boolean {
  const placed = placeAudio(ways, sdp, peer);
  if (placed instanceof Promise || "sdp" in placed) return false;
  ways.onAudioRefused(placed);
  return true;
}

type DescribingEvent = Extract<CarrierLegEvent, { answer: string }>;

interface PlacingOptions {
  ways: Ways;
  peer: () => string | null;
  emit: (event: CarrierLegEvent) => void;
  /** Called if the call must end. */
  onRefused: (cause: CarrierHangUpCause) => void;
}

/**
 * Reports a leg's events in order, with audio at IP addresses only: events after a host that is looked up wait for it.
 */
export function emitWithPlacedAudio({ ways, peer, emit, onRefused }: PlacingOptions): (event: CarrierLegEvent) => void {
  const waiting: CarrierLegEvent[] = [];
  let isLooking = false;

  function pass(event: DescribingEvent, placed: Placed): void {
    if ("sdp" in placed) return emit({ ...event, answer: placed.sdp });
    waiting.length = 0;
    ways.onAudioRefused(placed);
    onRefused(placed.address === null ? { ...lost, sip: null } : audioAddressRefused);
  }

  async function passOnceFound(event: DescribingEvent, placing: Promise<Placed>): Promise<void> {
    isLooking = true;
    const placed = await placing;
    isLooking = false;
    pass(event, placed);
    emitNext();
  }

  function emitOrPlace(event: CarrierLegEvent): void {
    if (!("answer" in event)) return emit(event);
    const placed = placeAudio(ways, event.answer, peer());
    if (placed instanceof Promise) void passOnceFound(event, placed);
    else pass(event, placed);
  }

  function emitNext(): void {
    for (let event = waiting.shift(); event; event = isLooking ? undefined : waiting.shift()) emitOrPlace(event);
  }

  return (event) => {
    waiting.push(event);
    if (!isLooking) emitNext();
  };
}
