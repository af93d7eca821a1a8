/**
 * From the click on Call to the first remote packet with the callee's audio, through a trunk to SIPp: our page and
 * server, alternating with JsSIP, Kamailio and rtpengine, to the same SIPp, in one Chromium. `npm run trunk -w bench`,
 * or `node bench/trunk/run.ts [rounds]`. Debian's programs are fetched if they aren't installed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";

import { fetchPeers } from "@leadline/carrier-sip-trunk/testing/fetch-peers";
import { peersIn } from "@leadline/carrier-sip-trunk/testing/peers-in";
import { startRtpengine } from "@leadline/carrier-sip-trunk/testing/start-rtpengine";

import { openBrowser } from "../../testing/open-browser.ts";
import { startApp } from "../../testing/start-app.ts";
import { measureSetups } from "./measure-setups.ts";
import { openPhones } from "./open-phones.ts";
import { serveJssipPage } from "./open-jssip-page.ts";
import { startCallee } from "./start-callee.ts";
import { startGateway } from "./start-gateway.ts";
import { writeSetups } from "./write-setups.ts";

const rounds = Number(process.argv[2] ?? 20);
const loadBefore = loadavg()[0] ?? 0;
const folder = mkdtempSync(join(tmpdir(), "leadline-bench-"));
const started: { stop(): Promise<unknown> }[] = [];
async function keep<T extends { stop(): Promise<unknown> }>(starting: Promise<T>): Promise<T> {
  const one = await starting;
  started.unshift(one);
  return one;
}

try {
  const { root, remove } = await fetchPeers();
  started.push({ stop: remove });
  const peers = peersIn(root);
  const callee = await keep(startCallee(peers, folder));
  const rtpengine = await keep(startRtpengine(peers, { folder }));
  const gateway = await keep(startGateway({ folder, trunk: callee.port, rtpengine: rtpengine.port }));
  const app = await keep(startApp());
  const appWithRtpengine = await keep(startApp({ env: { RTPENGINES: `udp:127.0.0.1:${rtpengine.port}` } }));
  const { address } = await keep(serveJssipPage());
  const browser = await openBrowser();
  started.unshift({ stop: () => browser.close() });

  const phones = openPhones(browser, { trunk: callee.port, jssip: { address, gateway: gateway.port } });
  const measured = await measureSetups({ phones, apps: { app, appWithRtpengine }, rounds });
  writeSetups(measured, { calleeTimes: await callee.readTimes(), loadBefore, chromium: browser.version() });
} finally {
  for (const one of started) await one.stop();
  rmSync(folder, { recursive: true });
}
