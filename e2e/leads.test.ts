import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { untilAnswered } from "../testing/dial.ts";
import { inBothLooks, isNarrow } from "./support/looks.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";
import { openAs } from "../testing/sign-up.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
async function choose(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

inBothLooks((look) => {
  test("a lead is entered, found, called from its row, changed and deleted", async () => {
    const person = await newPerson();
    const page = await openAs(await openProfile(browser, look), person, "/leads");
    await page.getByText("No leads yet").waitFor();
    await page.getByRole("link", { name: "New lead" }).click();
    await page.getByRole("button", { name: "Add lead" }).click();
    for (const message of [
      "First name must be at least 2 characters.",
      "Last name must be at least 2 characters.",
      "Email must be at least 6 characters.",
      "Phone must be at least 8 characters.",
    ])
      await page.getByText(message, { exact: true }).waitFor();
    await page.getByLabel("First name").fill("Bob");
    await page.getByLabel("Last name").fill("Stone");
    await page.getByLabel("Email").pressSequentially("bob@stône.example");
    await page.getByLabel("Phone").fill("(202) 555-0100");
    await page.getByLabel("Call back on").pressSequentially("12");
    await page.getByRole("button", { name: "Add lead" }).click();
    await page.getByText("Enter a full date, or clear the field.").waitFor();
    for (const key of ["ArrowLeft", "ArrowLeft", "Backspace"]) await page.getByLabel("Call back on").press(key);
    await page.getByRole("button", { name: "Add lead" }).click();
    await page.waitForURL("**/leads");
    await page.getByText("Bob Stone added to your leads.").waitFor();
    // In a narrow row the name is one text, and there is no room for the email.
    for (const text of isNarrow(page)
      ? ["Bob Stone", "+1 202 555 0100", "New"]
      : ["Bob", "Stone", "bob@stône.example", "+1 202 555 0100", "New"])
      await row(page, "Stone").getByText(text, { exact: true }).waitFor();

    await ask("/v1/do-not-call", { body: { phoneNumber: "+12025550100" }, token: person.token });
    await page.reload();
    await row(page, "Stone").getByText("Do not call", { exact: true }).waitFor();
    await ask("/v1/do-not-call/+12025550100", { method: "DELETE", token: person.token });

    // A word that is also a JSON value.
    await page.getByLabel("Search leads").fill("true");
    await page.getByText("No lead matches “true”").waitFor();
    await page.reload();
    await page.getByText("No lead matches “true”").waitFor();
    await page.getByLabel("Search leads").fill("stone bo");
    await row(page, "Stone").waitFor();
    await page.reload();
    expect(await page.getByLabel("Search leads").inputValue()).toBe("stone bo");

    await choose(page, "Bob Stone", "Call");
    await untilAnswered(page);
    await page.getByRole("button", { name: "Hang up" }).click();

    await choose(page, "Bob Stone", "Edit");
    await page.getByLabel("Last name").fill("Rock");
    // The save button stays visible while scrolling.
    const save = await page.getByRole("dialog").getByRole("button", { name: "Save" }).boundingBox();
    const box = await page.getByRole("dialog").boundingBox();
    expect((save?.y ?? NaN) + (save?.height ?? NaN)).toBeLessThan((box?.y ?? NaN) + (box?.height ?? NaN));
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Bob Rock saved.").waitFor();
    // The list request began before the lead was deleted, and its response arrives afterwards.
    const deletion = page.waitForResponse(
      (response) => response.url().endsWith("/v1/lead-changes") && response.request().method() === "POST",
    );
    await page.route(/\/v1\/leads\?(?!.*search)/, async (route) => {
      const answer = await route.fetch();
      await deletion;
      await route.fulfill({ response: answer });
    });
    const listAsked = page.waitForRequest(/\/v1\/leads\?(?!.*search)/);
    await page.getByRole("button", { name: "Clear the search" }).click();
    await listAsked;
    await choose(page, "Bob Rock", "Delete");
    await page.getByRole("button", { name: "Delete lead" }).click();
    await page.getByText("No leads yet").waitFor();
  });

  test("a lead's page keeps notes, files, status and the day to call back, and calls", async () => {
    const person = await newPerson();
    const body = { firstName: "Bob", lastName: "Stone", email: "bob@stône.example", phone: "+12025550109" };
    const { id } = await ask("/v1/leads", { body, token: person.token });
    const page = await openAs(await openProfile(browser, look), person, `/leads/${id}`);
    await page.getByRole("textbox", { name: "Note" }).fill("Asked for a quote.");
    await page.getByRole("textbox", { name: "Note" }).press("Control+Enter");
    await page.getByRole("list", { name: "Notes" }).getByText("Asked for a quote.").waitFor();
    await page.getByLabel("Status").click();
    await page.getByRole("option", { name: "Qualified", exact: true }).click();
    await page.getByLabel("Call back on").fill("2031-05-06");
    await expect
      .poll(() => ask(`/v1/leads/${id}`, { token: person.token }))
      .toMatchObject({ status: "Qualified", followUpOn: "2031-05-06", followUpTime: null });
    await page.getByLabel("Call back at").fill("14:30");
    await page.getByLabel("Call back at").press("Enter");
    await expect
      .poll(() => ask(`/v1/leads/${id}`, { token: person.token }))
      .toMatchObject({ followUpTime: "14:30", followUpOwner: { name: expect.any(String) } });
    await page.getByText("2:30 PM · You").waitFor();

    await page.getByRole("tab", { name: "Files" }).click();
    const picker = page.getByLabel("Add files");
    await picker.setInputFiles({ name: "virus.exe", mimeType: "application/pdf", buffer: Buffer.from("MZ") });
    await page.getByText(/“virus.exe” wasn’t uploaded/).waitFor();
    await page.getByRole("tab", { name: "Calls" }).click();
    await page.getByRole("tab", { name: "Files" }).click();
    await page.getByText(/“virus.exe” wasn’t uploaded/).waitFor();
    await picker.setInputFiles({
      name: "offer.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from("%PDF-1.7 offer"),
    });
    await page.getByRole("list", { name: "Files" }).getByText("offer.pdf").waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download offer.pdf" }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe("offer.pdf");
    expect(await readFile(await saved.path(), "utf8")).toBe("%PDF-1.7 offer");
    await page.getByRole("button", { name: "Delete offer.pdf" }).click();
    await page.getByRole("button", { name: "Delete file" }).click();
    await page.getByText("No files yet.").waitFor();

    const lastCall = page.getByRole("region", { name: "Details" }).getByText("Never", { exact: true });
    await lastCall.waitFor();
    await page.getByRole("tab", { name: "Timeline" }).click();
    await page.getByRole("button", { name: "Call", exact: true }).click();
    await untilAnswered(page);
    await page.getByRole("button", { name: "Hang up" }).click();
    // Without a reload.
    await lastCall.waitFor({ state: "detached" });
    await page
      .getByRole("list", { name: "Timeline" })
      .getByText(/^Call: Answered/)
      .waitFor();
    await page.goto("/leads/7d1b9e2e-5a0a-4c3e-9d57-0a4e7f6f3b11");
    await page.getByText("Lead not found").waitFor();
  });

  test("a CSV is mapped, previewed and imported, scrolled through to its last row and exported again", async () => {
    const person = await newPerson();
    const page = await openAs(await openProfile(browser, look), person, "/leads/import");
    const good = Array.from(
      { length: 450 },
      (_, index) => `Ann${index};Lo;ann${index}@lo.example;+1202555${1000 + index}`,
    );
    const csv = [
      "Vorname;Nachname;E-Mail;Telefon",
      ...good,
      "X;Lo;x@lo.example;+12025559999",
      "Eve;Lo;eve@lo.example;+12025551000",
    ].join("\n");
    await page
      .getByLabel("Choose a CSV file")
      .setInputFiles({ name: "fair.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
    await page.getByRole("combobox", { name: "Phone" }).getByText("Telefon").waitFor();
    const result = page.getByText("Will be imported").first();
    await result.waitFor();
    const { x, width } = (await result.boundingBox()) ?? { x: Infinity, width: 0 };
    expect(x + width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
    expect((await page.getByRole("checkbox", { name: /^Leave out rows/ }).boundingBox())?.width).toBe(16);
    await page.getByText("Of 452 rows: 450 new · 1 repeated in the file · 1 with an error").waitFor();
    await page.getByRole("button", { name: "Import 450 rows" }).click();
    await page.getByText("fair.csv imported").waitFor();
    await row(page, "452").getByText("First name must be at least 2 characters.").waitFor();
    const duplicate = page.getByRole("region", { name: "Duplicates" }).getByRole("row", { name: "453" });
    await duplicate.getByText("Same phone number as row 2").waitFor();
    await duplicate.getByText("Left out").waitFor();
    await page.reload();
    await page.getByText("fair.csv imported").waitFor();
    await page.getByRole("link", { name: "Show leads" }).click();

    await page.getByLabel("Sort").click();
    await page.getByRole("option", { name: "Oldest first" }).click();
    await row(page, "Ann0").waitFor();
    const table = page.getByRole("region", { name: "Leads" });
    expect(await table.getByRole("row").count()).toBeLessThan(60);
    await expect
      .poll(async () => {
        await table.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
        return row(page, "Ann449").isVisible();
      })
      .toBe(true);
    await page.getByText("450 leads").waitFor();

    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Import, export and conflicts" }).click();
    await page.getByRole("menuitem", { name: "Export as CSV" }).click();
    const lines = (await readFile(await (await download).path(), "utf8")).trimEnd().split("\n");
    expect(lines).toHaveLength(451);

    // A search starts at the top and loads only what is visible there. So does the list when it is opened again.
    const pagesRead: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/v1/leads?")) pagesRead.push(request.url());
    });
    await page.getByLabel("Search leads").fill("lo.example");
    await page.getByText("The first 100 leads. Scroll for more").waitFor();
    await row(page, "Ann0").waitFor();
    expect(await table.evaluate((element) => element.scrollTop)).toBe(0);
    await page.getByLabel("Search leads").fill("");
    await page.getByText("The first 100 of 450 leads. Scroll for more").waitFor();
    await row(page, "Ann0").waitFor();
    expect(pagesRead.filter((url) => url.includes("after="))).toEqual([]);

    // The export contains the search results.
    await page.getByLabel("Search leads").fill("ann44");
    await page.getByText("11 leads", { exact: true }).waitFor();
    const chosen = page.waitForEvent("download");
    await page.getByRole("button", { name: "Import, export and conflicts" }).click();
    await page.getByRole("menuitem", { name: "Export these leads as CSV" }).click();
    expect((await readFile(await (await chosen).path(), "utf8")).trimEnd().split("\n")).toHaveLength(12);
  });
});

test("an import whose page was left reports its end, can be found again, and exports its failed rows as CSV", async () => {
  const page = await openAs(await openProfile(browser), await newPerson(), "/leads/import");
  const { promise: mayRead, resolve: letRead } = Promise.withResolvers<void>();
  // Delays the response, so that the page is left before the end is known.
  await page.route(/\/api\/v1\/lead-imports\/[\w-]+$/, async (route) => {
    await mayRead;
    await route.continue();
  });
  const csv = "First name,Last name,Email,Phone\nAnn,Lo,ann@lo.example,+12025551000\n=X(),L,x@lo.example,+12025551001";
  await page
    .getByLabel("Choose a CSV file")
    .setInputFiles({ name: "fair.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await page.getByRole("button", { name: "Import 1 row" }).click();
  await page.getByText("Importing fair.csv").waitFor();
  await page.getByRole("link", { name: "Calls" }).first().click();
  await page.getByLabel("Phone number").waitFor();
  letRead();
  await page.getByText("fair.csv imported.").waitFor();
  await page.getByText("1 new, 1 not imported").waitFor();

  await page.goto("/leads/import");
  const latest = page.getByRole("region", { name: "Recent imports" }).getByRole("listitem");
  await expect
    .poll(() => latest.allInnerTexts())
    .toEqual([expect.stringMatching(/fair\.csv[^]*1 new, 1 not imported[^]*Imported/)]);
  await page.getByRole("link", { name: "fair.csv" }).click();
  await row(page, "3").getByText("Last name must be at least 2 characters.").waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download CSV" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("not imported of fair.csv.csv");
  expect((await readFile(await file.path(), "utf8")).trimEnd().split("\n")[1]).toBe(
    `"3","Last name must be at least 2 characters.","'=X()","L","x@lo.example","+12025551001"`,
  );
});
