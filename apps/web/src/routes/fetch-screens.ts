import { waitForServer } from "../data/wait-for-server.ts";

/** Names the files, in index.html as it is built. */
const named = (): HTMLMetaElement | null => document.querySelector<HTMLMetaElement>('meta[name="screen-parts"]');

/** Whether every screen's code is in this browser, so that opening one needs no network. The page that named it notes it. */
export const screensAreHere = (): boolean => named()?.dataset["here"] !== undefined;

/** Fetches the code of every screen and runs none of it: running it all would hold up a phone for a fifth of a second. */
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
