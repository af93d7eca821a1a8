import type { Browser, BrowserContext } from "playwright-core";

import { askAt, openAs, signUp } from "../../testing/sign-up.ts";
import type { RunningApp } from "../../testing/start-app.ts";
import { stampFirstPacket } from "../stamp-first-packet.ts";
import { openJssipPage } from "./open-jssip-page.ts";
import { jssipPhone, ourPhone, type Phone } from "./phones.ts";

/** Each in its own context, with the microphone allowed. */
export function openPhones(browser: Browser, to: { trunk: number; jssip: { address: string; gateway: number } }) {
  async function openContext(options: { baseURL?: string } = {}): Promise<BrowserContext> {
    const context = await browser.newContext({ ...options, permissions: ["microphone"], bypassCSP: true });
    await stampFirstPacket(context);
    return context;
  }

  return {
    /** A new user, whose organisation calls through the trunk. */
    async openOurs({ address }: RunningApp, { holds }: { holds: boolean } = { holds: true }): Promise<Phone> {
      const person = await signUp(address, { organisation: "Bench" });
      const settings = { host: `127.0.0.1:${to.trunk}`, transport: "udp", authentication: "ip" };
      const body = { kind: "sip-trunk", label: "Trunk", settings };
      await askAt(address, "/v1/carriers", { body, token: person.token });
      const context = await openContext({ baseURL: address });
      // The pad can't negotiate ahead: every call sends its own offer.
      if (!holds) await context.route("**/api/v1/media-connections", (route) => route.abort());
      return ourPhone(await openAs(context, person));
    },
    openJssip: async (options: { isTuned: boolean }): Promise<Phone> =>
      jssipPhone(await openJssipPage(await openContext(), { ...to.jssip, ...options })),
  };
}

export type Phones = ReturnType<typeof openPhones>;
