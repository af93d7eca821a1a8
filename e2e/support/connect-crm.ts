import type { Page } from "playwright-core";

/** Connects the sandbox that stands for a CRM, as a newcomer does, and syncs its leads. */
export async function connectCrm(page: Page, { service, label }: { service: string; label: string }): Promise<void> {
  await page.goto("/integrations");
  await page.getByRole("link", { name: "New integration" }).click();
  await page.getByRole("combobox", { name: "Service" }).click();
  await page.getByRole("option", { name: service }).click();
  await page.getByRole("textbox", { name: "Label" }).fill(label);
  await page.getByRole("button", { name: "Use it" }).click();
  await page.getByRole("button", { name: "Add integration" }).click();
  const row = page.getByRole("row").filter({ hasText: label });
  await row.getByRole("button", { name: "Connect", exact: true }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("link", { name: "Go now" }).click();
  await row.getByRole("button", { name: "Sync", exact: true }).click();
  await row.getByText(/^Synced /).waitFor();
}
