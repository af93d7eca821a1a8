import { LegGone, type LegPlane } from "./media-plane.ts";

type BrowserLegOptions = NonNullable<Parameters<LegPlane["openBrowserLeg"]>[1]>;
type CarrierLegOptions = NonNullable<Parameters<LegPlane["openCarrierLeg"]>[0]>;
/** The plane that a leg was opened on; undefined for a closed leg. */
type FindPlane<Plane> = (legId: string | undefined) => Plane | undefined;

/** Which plane a leg is opened on. */
export interface Placement<Plane extends LegPlane> {
  browserLeg(options: BrowserLegOptions, find: FindPlane<Plane>): Plane;
  carrierLeg(options: CarrierLegOptions, find: FindPlane<Plane>): Plane;
}

/**
 * Combines several media planes into one: each leg is handled by the plane that it was opened on. Legs on different
 * planes never share a room. `first` handles unknown legs.
 */
export function routeLegs<Plane extends LegPlane>(first: Plane, placement: Placement<Plane>) {
  const planes: Plane[] = [];
  const owners = new Map<string, Plane>();
  const stateListeners: Parameters<LegPlane["onBrowserLegState"]>[0][] = [];
  const tapListeners: Parameters<LegPlane["onTapped"]>[0][] = [];
  const promptListeners = new Set<Parameters<LegPlane["onPromptEnd"]>[0]>();
  const find: FindPlane<Plane> = (legId) => (legId === undefined ? undefined : owners.get(legId));
  // Unknown legs too: any plane responds to those as the interface says.
  const of = (legId: string): Plane => owners.get(legId) ?? first;
  const opening: Plane[] = [];
  async function open<Opened extends { legId: string }>(on: Plane, ask: () => Promise<Opened>): Promise<Opened> {
    opening.push(on);
    try {
      const opened = await ask();
      owners.set(opened.legId, on);
      return opened;
    } finally {
      opening.splice(opening.indexOf(on), 1);
    }
  }

  function add(plane: Plane): void {
    planes.push(plane);
    plane.onTapped((audio) => tapListeners.forEach((listener) => listener(audio)));
    plane.onPromptEnd((end) => promptListeners.forEach((listener) => listener(end)));
    plane.onBrowserLegState((change) => {
      if (change.state === "closed") owners.delete(change.legId);
      for (const listener of stateListeners) listener(change);
    });
  }
  add(first);

  const plane: LegPlane = {
    async openBrowserLeg(offer, options = {}) {
      const on = placement.browserLeg(options, find);
      return open(on, () => on.openBrowserLeg(offer, options));
    },
    carriesBrowsers: () => first.carriesBrowsers(),
    restartBrowserLeg: (legId, offer) => of(legId).restartBrowserLeg(legId, offer),
    async openCarrierLeg(options = {}) {
      const on = placement.carrierLeg(options, find);
      return open(on, () => on.openCarrierLeg(options));
    },
    acceptCarrierAnswer: (legId, answer) => of(legId).acceptCarrierAnswer(legId, answer),
    async apply(room) {
      const [on = first, ...others] = new Set(room.participants.map(({ legId }) => of(legId)));
      if (others.length > 0) throw new LegGone("These legs are on two media planes.");
      await on.apply(room);
    },
    takesKeyEvents: (legId) => of(legId).takesKeyEvents(legId),
    sendDigits: (legId, digits) => of(legId).sendDigits(legId, digits),
    stats: (legId) => of(legId).stats(legId),
    async close(legId) {
      await of(legId).close(legId);
      owners.delete(legId);
    },
    onBrowserLegState: (listener) => void stateListeners.push(listener),
    onTapped: (listener) => void tapListeners.push(listener),
    onPromptEnd(listener) {
      promptListeners.add(listener);
      return () => void promptListeners.delete(listener);
    },
    shutDown: async () => void (await Promise.all(planes.map((each) => each.shutDown()))),
  };

  return {
    plane,
    find,
    of,
    /** What `ask` opens belongs to that plane from now on. */
    open,
    /** These legs belong to that plane from now on. */
    adopt(on: Plane, legIds: readonly (string | null)[]): void {
      for (const legId of legIds) if (legId !== null) owners.set(legId, on);
    },
    /** Adds a plane on which legs can be placed from now on. */
    add,
    /** Counts legs that are still being opened too. */
    countLegs: (on: Plane): number => [...owners.values(), ...opening].filter((each) => each === on).length,
  };
}
