import type { Page } from "playwright-core";
import { findings } from "./axe-findings.ts";
import { moveTo } from "./move-to.ts";

type Found = Record<string, string[]>;

const csv = "First name,Last name,Email,Phone\nAda,Byron,ada@byron.example,+44 20 7946 0110\n";

/** What axe finds on screens with content, and in the dialogs above them. The user has this lead. */
export async function findingsInFilledScreens(page: Page, lead: { id: string; name: string }): Promise<Found> {
  const found: Found = {};
  const look = async (name: string): Promise<void> => {
    found[name] = await findings(page);
  };
  const close = () => page.keyboard.press("Escape");

  await moveTo(page, `/leads/${lead.id}`);
  await page.getByRole("heading", { name: lead.name }).waitFor();
  await look("a lead");
  for (const tab of ["Calls", "Files", "Timeline"]) {
    await page.getByRole("tab", { name: tab }).click();
    await look(`a lead's ${tab}`);
  }

  await moveTo(page, "/leads");
  const actions = page.getByRole("button", { name: `Actions for ${lead.name}` });
  await actions.click();
  await page.getByRole("menu").waitFor();
  await look("a lead's menu");
  for (const item of ["Edit", "Delete"]) {
    if (!(await page.getByRole("menu").isVisible())) await actions.click();
    await page.getByRole("menuitem", { name: item }).click();
    await page.getByRole("dialog").or(page.getByRole("alertdialog")).waitFor();
    await look(`a lead's ${item}`);
    await close();
  }

  await moveTo(page, "/leads/import");
  const file = { name: "few.csv", mimeType: "text/csv", buffer: Buffer.from(csv) };
  await page.locator('input[type="file"]').setInputFiles(file);
  await page.getByRole("combobox", { name: "Phone" }).waitFor();
  await look("columns of an import");

  await moveTo(page, "/settings/members");
  await page
    .getByRole("button", { name: /^Invite/ })
    .first()
    .click();
  await page.getByRole("dialog").waitFor();
  await look("inviting somebody");
  await close();

  await moveTo(page, "/settings/organisations");
  await page.getByRole("button", { name: "Actions for Harbour" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await page.getByRole("dialog").waitFor();
  await look("deleting an organisation");
  await close();

  for (const name of ["Theme", /Harbour/, /your account/]) {
    await page.getByRole("banner").getByRole("button", { name }).click();
    await page.getByRole("menu").waitFor();
    await look(`the header's ${name}`);
    await close();
  }
  await page.getByRole("button", { name: "Toggle sidebar" }).first().click();
  await look("the sidebar, toggled");
  return found;
}
