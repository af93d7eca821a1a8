import { waitForServer } from "../data/wait-for-server.ts";

let here = false;

/** Whether every screen's code is in this browser, so that opening one needs no network. */
export const screensAreHere = (): boolean => here;

/** Fetches the code of every screen and runs none of it: running it all would hold up a phone for a fifth of a second. */
export async function fetchScreens(signal: AbortSignal): Promise<void> {
  const parts = document.querySelector<HTMLMetaElement>('meta[name="screen-parts"]')?.content.split(" ") ?? [];
  for (const part of parts) {
    await waitForServer();
    if (signal.aborted) return;
    await fetchModule(part);
  }
  here = parts.length > 0;
}

function fetchModule(href: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const link = Object.assign(document.createElement("link"), { rel: "modulepreload", crossOrigin: "", href });
  link.addEventListener("load", () => resolve());
  link.addEventListener("error", () => reject(new Error(`${href} could not be fetched.`)));
  document.head.append(link);
  return promise;
}
