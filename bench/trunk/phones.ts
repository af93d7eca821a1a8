import type { Page } from "playwright-core";

import { dial, hangUp, untilAnswered } from "../../testing/dial.ts";

const callee = "+12025550103";

export interface Phone {
  page: Page;
  ready(): Promise<unknown>;
  hangUp(): Promise<unknown>;
}

export const ourPhone = (page: Page): Phone => ({
  page,
  ready: () => page.getByLabel("Phone number").waitFor(),
  async hangUp() {
    await untilAnswered(page);
    await hangUp(page);
  },
});

export const jssipPhone = (page: Page): Phone => ({
  page,
  ready: () => page.getByRole("button", { name: "Call", disabled: false }).waitFor(),
  hangUp: () => page.getByRole("button", { name: "Hang up" }).click(),
});

/** When Call was clicked, and when the first remote packet with audio arrived; milliseconds since the epoch. */
export interface Setup {
  pressedAt: number;
  soundAt: number;
}

export async function callOfFreshPage(open: () => Promise<Phone>): Promise<Setup> {
  const phone = await open();
  const setup = await callOnce(phone);
  await phone.page.context().close();
  return setup;
}

export async function callOnce({ page, ready, hangUp: end }: Phone): Promise<Setup> {
  await ready();
  await dial(page, callee);
  await page.waitForFunction(() => window.soundAt.some((at) => at > (window.pressedAt.at(-1) ?? Infinity)));
  const setup = await page.evaluate(() => {
    const pressedAt = window.pressedAt.at(-1) ?? Number.NaN;
    if (window.soundAt.some((at) => at < pressedAt && at > pressedAt - 500)) throw new Error("sound before the call");
    return { pressedAt, soundAt: Math.min(...window.soundAt.filter((at) => at > pressedAt)) };
  });
  await end();
  await ready();
  return setup;
}
