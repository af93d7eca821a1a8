import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import type { BrowserContext, Page } from "playwright-core";
import { build } from "vite";

const page = `<!doctype html><meta charset="utf-8"><title>JsSIP</title><body><script type="module" src="/jssip-page.js"></script>`;

/** JsSIP and its page, as one script. */
async function bundleJssipPage(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      rollupOptions: { input: join(import.meta.dirname, "jssip-page.ts") },
    },
  });
  const chunk = [built].flat().flatMap((each) => ("output" in each ? each.output : []))[0];
  if (chunk?.type !== "chunk") throw new Error("JsSIP's page was not bundled");
  return chunk.code;
}

/** Serves that page on loopback. */
export async function serveJssipPage(): Promise<{ address: string; stop(): Promise<unknown> }> {
  const script = await bundleJssipPage();
  const server = createServer(({ url }, answer) => {
    const isScript = url === "/jssip-page.js";
    answer.setHeader("content-type", `text/${isScript ? "javascript" : "html"}; charset=utf-8`);
    answer.end(isScript ? script : page);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, stop: async () => server.close() };
}

/** A page that is connected, registered and has microphone permission. */
export async function openJssipPage(
  context: BrowserContext,
  { address, gateway, isTuned }: { address: string; gateway: number; isTuned: boolean },
): Promise<Page> {
  const opened = await context.newPage();
  await opened.goto(`${address}?gateway=127.0.0.1:${gateway}${isTuned ? "&tuned" : ""}`);
  await opened.getByRole("button", { name: "Call", disabled: false }).waitFor();
  return opened;
}
