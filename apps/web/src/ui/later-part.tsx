import { createElement, type FunctionComponent, useEffect, useState, useSyncExternalStore } from "react";

const preloads = new Set<() => Promise<void>>();

let waitForNetwork = async (): Promise<void> => {};

/** What parts wait for before they are fetched without a network: at best, until the server answers. */
export function fetchPartsAfter(wait: () => Promise<void>): void {
  waitForNetwork = wait;
}

export interface LaterPart<P extends object> {
  (props: P): ReturnType<FunctionComponent<P>>;
  preload: () => Promise<void>;
  /** Whether its code is here, so that it renders at once. */
  isHere: () => boolean;
  onArrival: (listener: () => void) => () => void;
}

/**
 * A part that no first paint needs: its code is fetched when the page has painted (see use-later-parts.ts) or when it is first
 * shown, and until then nothing is in its place. Without a network that waits: a browser never fetches a failed module again.
 */
export function laterPart<K extends string, P extends object>(
  load: () => Promise<Record<K, FunctionComponent<P>>>,
  name: K,
): LaterPart<P> {
  let part: FunctionComponent<P> | null = null;
  let loading: Promise<void> | null = null;
  const listeners = new Set<() => void>();

  async function fetchPart(): Promise<void> {
    if (!navigator.onLine) await waitForNetwork();
    part = (await load())[name];
    for (const listener of listeners) listener();
  }
  const preload = (): Promise<void> => {
    loading ??= fetchPart().catch(() => {
      // Asked for anew the next time it is shown.
      loading = null;
    });
    return loading;
  };
  const isHere = (): boolean => part !== null;
  const onArrival = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };

  function Later(props: P) {
    const here = useSyncExternalStore(onArrival, isHere);
    useEffect(() => void preload(), []);
    return here && part ? createElement(part, props) : null;
  }
  preloads.add(preload);
  return Object.assign(Later, { preload, isHere, onArrival });
}

/** One after the other, so that each is drawn in a task of its own and a hand that moves meanwhile is heard. */
export async function preloadLaterParts(): Promise<void> {
  for (const preload of preloads) {
    await preload();
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Whether it ever was: what has been shown once stays, so that it can close by itself and give the keyboard's place back. */
export function useEver(now: boolean): boolean {
  const [ever, setEver] = useState(now);
  if (now && !ever) setEver(true);
  return ever || now;
}
