import { createElement, type FunctionComponent, useEffect, useState, useSyncExternalStore } from "react";

const preloads = new Set<() => Promise<void>>();

let waitForNetwork = async (): Promise<void> => {};

/** What deferred parts wait for if there is no network: ideally, until the server responds. */
export function fetchPartsAfter(wait: () => Promise<void>): void {
  waitForNetwork = wait;
}

export interface LaterPart<P extends object> {
  (props: P): ReturnType<FunctionComponent<P>>;
  preload: () => Promise<void>;
  /** Whether its code has loaded, so that it renders immediately. */
  isHere: () => boolean;
  onArrival: (listener: () => void) => () => void;
}

/**
 * A component that the first paint doesn't need: its code is fetched after the page has painted (see
 * use-later-parts.ts) or when it is first shown, and renders nothing until then. Without a network it waits: a browser
 * never refetches a failed module.
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
      // Retried the next time it is shown.
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

/** One after the other, so that each renders in a task of its own and input is handled in between. */
export async function preloadLaterParts(): Promise<void> {
  for (const preload of preloads) {
    await preload();
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Whether it was ever true: what was shown once stays mounted, so that it can close itself and return the focus. */
export function useEver(now: boolean): boolean {
  const [ever, setEver] = useState(now);
  if (now && !ever) setEver(true);
  return ever || now;
}
