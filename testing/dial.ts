import type { Page } from "playwright-core";

/** Types the number on the pad and presses Call. */
export async function dial(page: Page, number: string): Promise<void> {
  const field = page.getByLabel("Phone number");
  await field.clear();
  await field.pressSequentially(number);
  await page.getByRole("button", { name: "Call", exact: true }).click();
}

/** The call's timer starts at the answer. */
export const untilAnswered = (page: Page): Promise<void> =>
  page.getByRole("timer", { name: "Call duration" }).waitFor();

export async function hangUp(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Hang up" }).click();
  await endedSentence(page);
}

/** Why the call ended, as the phone says it; waits until it has ended. */
export async function endedSentence(page: Page): Promise<string> {
  const card = page.getByRole("region", { name: "Call ended" });
  // It may ring for 15 s first.
  await card.waitFor({ timeout: 60_000 });
  return (await card.locator("p").first().textContent()) ?? "";
}
