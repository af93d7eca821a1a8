import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import type { Peers } from "./peers-in.ts";
import { type Baresip, startBaresip } from "./start-baresip.ts";
import { wave } from "./wave.ts";

const menuHz = 900;

/** baresip as a keypad menu: it is silent until it hears a key (RFC 4733 or INFO), and then sounds for a second. */
export async function startMenu(peers: Peers, folder: string, number: string): Promise<Baresip> {
  const menu = await startBaresip(peers, { folder, user: number, account: ";answermode=auto" });
  const said = join(folder, "key.wav");
  // The end of a file ends baresip's call: silence follows the second of sound.
  await writeFile(said, wave(menuHz, 1, { thenSilentSeconds: 30 }));
  const push = menu.events.push.bind(menu.events);
  menu.events.push = (...events) => {
    if (events.some(({ type }) => type === "CALL_DTMF_START")) menu.command("ausrc", `aufile,${said}`);
    if (events.some(({ type }) => type === "CALL_CLOSED")) menu.command("ausrc", `aufile,${menu.says}`);
    return push(...events);
  };
  return menu;
}
