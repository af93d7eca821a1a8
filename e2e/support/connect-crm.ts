import type { Page } from "playwright-core";

interface NewIntegration {
  service: string;
  label: string;
}

/** Adds an integration with the CRM's sandbox, from the list of integrations. */
export async function addIntegration(page: Page, { service, label }: NewIntegration): Promise<void> {
  await page.getByRole("link", { name: "New integration" }).click();
  await page.getByRole("combobox", { name: "Service" }).click();
  await page.getByRole("option", { name: service }).click();
  await page.getByRole("textbox", { name: "Label" }).fill(label);
  await page.getByRole("button", { name: "Use the sandbox" }).click();
  await page.getByRole("button", { name: "Add integration" }).click();
  await page.getByRole("row").filter({ hasText: label }).waitFor();
}

/** Connects a sandbox CRM and syncs its leads. */
export async function connectCrm(page: Page, integration: NewIntegration): Promise<void> {
  await page.goto("/integrations");
  await addIntegration(page, integration);
  const row = page.getByRole("row").filter({ hasText: integration.label });
  await row.getByRole("button", { name: "Connect", exact: true }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("link", { name: "Go now" }).click();
  await row.getByRole("button", { name: "Sync", exact: true }).click();
  await row.getByText(/^Synced /).waitFor();
}
