import { waitForServer } from "../data/wait-for-server.ts";

/** Lists the files, in the built index.html. */
const named = (): HTMLMetaElement | null => document.querySelector<HTMLMetaElement>('meta[name="screen-parts"]');

/**
 * Whether every screen's code is in this browser, so that opening one needs no network. Stored on the tag that lists
 * them.
 */
export const screensAreHere = (): boolean => named()?.dataset["here"] !== undefined;

/** Fetches the code of every screen without running it, which would block a phone for a fifth of a second. */
export async function fetchScreens(signal: AbortSignal): Promise<void> {
  const page = named();
  const parts = page?.content.split(" ") ?? [];
  for (const part of parts) {
    await waitForServer();
    if (signal.aborted) return;
    await fetchModule(part);
  }
  if (page) page.dataset["here"] = "";
}

function fetchModule(href: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const link = Object.assign(document.createElement("link"), { rel: "modulepreload", crossOrigin: "", href });
  link.addEventListener("load", () => resolve());
  link.addEventListener("error", () => reject(new Error(`${href} could not be fetched.`)));
  document.head.append(link);
  return promise;
}
