import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Peers } from "./peers-in.ts";
import { type Baresip, startBaresip } from "./start-baresip.ts";
import { wave } from "./wave.ts";

const menuHz = 900;

/**
 * baresip as an IVR menu: it is silent until it receives a DTMF digit (RFC 4733 or INFO), and then plays a tone for a
 * second.
 */
export async function startMenu(peers: Peers, folder: string, number: string): Promise<Baresip> {
  const menu = await startBaresip(peers, { folder, user: number, account: ";answermode=auto" });
  const said = join(folder, "key.wav");
  // The end of the file would end baresip's call: silence follows the one-second tone.
  await writeFile(said, wave(menuHz, 1, { thenSilentSeconds: 30 }));
  const push = menu.events.push.bind(menu.events);
  menu.events.push = (...events) => {
    if (events.some(({ type }) => type === "CALL_DTMF_START")) menu.command("ausrc", `aufile,${said}`);
    if (events.some(({ type }) => type === "CALL_CLOSED")) menu.command("ausrc", `aufile,${menu.says}`);
    return push(...events);
  };
  return menu;
}
