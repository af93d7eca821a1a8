import { type FunctionComponent, createElement, use } from "react";
import { waitForServer } from "../data/wait-for-server.ts";
import { screensAreHere } from "./fetch-screens.ts";

/** Until then the page itself has only just been served, so its first requests needn't wait. */
const freshMs = 3000;

/**
 * A screen whose code is loaded when it is first opened. Without a network that waits, and the previous screen stays: a
 * browser never retries a failed module import. The router's own solution reloads the page, which would end a call.
 */
export function lazyScreen<K extends string>(
  load: () => Promise<Record<K, FunctionComponent>>,
  name: K,
): FunctionComponent & { preload: () => Promise<void> } {
  let screen: FunctionComponent | null = null;
  let loading: Promise<void> | null = null;

  async function fetchScreen(): Promise<void> {
    const fresh = navigator.onLine && performance.now() <= freshMs;
    if (!fresh && !screensAreHere()) await waitForServer();
    screen = (await load())[name];
  }
  const preload = (): Promise<void> => {
    loading ??= fetchScreen().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };

  function LazyScreen() {
    if (!screen) use(preload());
    return screen && createElement(screen);
  }
  return Object.assign(LazyScreen, { preload });
}
