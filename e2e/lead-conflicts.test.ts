import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../testing/open-browser.ts";
import { openAs } from "../testing/sign-up.ts";
import { findings } from "./support/axe-findings.ts";
import { connectCrm } from "./support/connect-crm.ts";
import { inBothLooks } from "./support/looks.ts";
import { ask, newPerson, openProfile } from "./support/people.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const number = "+12025550101";

inBothLooks((look) => {
  test("a CRM lead and a manual one with the same number are merged, separated by Undo, and kept separate", async () => {
    const person = await newPerson();
    const { token } = person;
    const [crm] = await ask("/v1/integrations/services", { token });
    const page = await openAs(await openProfile(browser, { ...look, bypassCSP: true }), person, "/leads/conflicts");
    await page.getByText("No conflicts").waitFor();
    await connectCrm(page, { service: crm.name, label: "Harbour sales" });
    const [known] = await ask(`/v1/leads?search=${encodeURIComponent(number)}`, { token });
    const name = `${known.firstName} ${known.lastName}`;
    const body = { firstName: "Robin", lastName: "Other", email: "robin@other.example", phone: number };
    const other = await ask("/v1/leads", { body, token });
    await ask(`/v1/leads/${other.id}/notes`, { body: { text: "Asked for a quote." }, token });

    await page.goto("/leads");
    await page.getByRole("button", { name: "Import, export and conflicts" }).click();
    await page.getByRole("menuitem", { name: "Conflicts" }).click();
    await page.getByText("1 conflict to sort out.").waitFor();
    await page.getByText("2 leads share this number").waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByRole("radio", { name: `Keep ${name}, Harbour sales` }).check();
    await page.getByRole("button", { name: `Merge into ${name}` }).click();
    await page.getByText("No conflicts").waitFor();
    expect(await ask(`/v1/leads/${known.id}/notes`, { token })).toMatchObject([{ text: "Asked for a quote." }]);
    expect(await findings(page)).toEqual([]);

    await page.reload();
    await page.getByRole("button", { name: `Undo the merge into ${name}` }).click();
    await page.getByText("2 leads share this number").waitFor();
    expect(await ask(`/v1/leads/${other.id}/notes`, { token })).toHaveLength(1);
    await page.getByRole("button", { name: "Keep separate, +1 202 555 0101" }).click();
    await page.getByText("No conflicts").waitFor();
    await page.reload();
    await page.getByText("No conflicts").waitFor();
  });
});

interface KnownLead {
  id: string;
  firstName: string;
  lastName: string;
  phoneNumber: string;
  integrationId: string;
  crmUrl: string;
}

/** Returns the leads that are left: those with these numbers. */
async function deleteOthers(token: string, phoneNumbers: readonly string[]): Promise<KnownLead[]> {
  for (;;) {
    const leads: KnownLead[] = await ask("/v1/leads?limit=200", { token });
    const ids = leads.filter(({ phoneNumber }) => !phoneNumbers.includes(phoneNumber)).map(({ id }) => id);
    if (ids.length === 0) return leads;
    await ask("/v1/lead-changes", { token, body: { ids, action: { kind: "delete" } } });
  }
}

test("leads of two CRMs are merged by their number and by their email, and each merge is undone", async () => {
  const person = await newPerson();
  const { token } = person;
  const page = await openAs(await openProfile(browser), person, "/integrations");
  // Those whose leads are all in one place.
  const services: { name: string; choosesSource: boolean }[] = await ask("/v1/integrations/services", { token });
  const [first, second] = services.filter(({ choosesSource }) => !choosesSource);
  await connectCrm(page, { service: first?.name ?? "", label: "Harbour sales" });
  await connectCrm(page, { service: second?.name ?? "", label: "Contacts" });
  const [sales, contacts] = await ask("/v1/integrations", { token });
  // Both sandboxes have the same people. Of one, both leads keep the number; of another, the email.
  const people = [number, "+12025550102"];
  const leads = await deleteOthers(token, people);
  const leadOf = (phoneNumber: string | undefined, { id }: { id: string }): KnownLead => {
    const found = leads.find((lead) => lead.phoneNumber === phoneNumber && lead.integrationId === id);
    if (found === undefined) throw new Error("a sandbox lacks one of the people");
    return found;
  };
  const inSales = people.map((one) => leadOf(one, sales));
  const inContacts = people.map((one) => leadOf(one, contacts));
  await ask(`/v1/leads/${inContacts[0]?.id}`, { token, method: "PUT", body: { email: "moved@stone.example" } });
  await ask(`/v1/leads/${inContacts[1]?.id}`, { token, method: "PUT", body: { phone: "+12025550177" } });

  for (const [shared, kept, keptLead, otherLead] of [
    ["number", contacts, inContacts[0], inSales[0]],
    ["email", sales, inSales[1], inContacts[1]],
  ] as const) {
    if (keptLead === undefined || otherLead === undefined) throw new Error("a pair of leads is missing");
    const note = `Asked for a quote by ${shared}.`;
    await ask(`/v1/leads/${otherLead.id}/notes`, { token, body: { text: note } });
    await page.goto("/leads/conflicts");
    await page.getByText("2 conflicts to sort out.").waitFor();
    const card = page.getByRole("listitem").filter({ hasText: `2 leads share this ${shared}` });
    const name = `${keptLead.firstName} ${keptLead.lastName}`;
    await card.getByRole("radio", { name: `Keep ${name}, ${kept.label}` }).check();
    await card.getByRole("button", { name: `Merge into ${name}` }).click();
    await page.getByText("1 conflict to sort out.").waitFor();
    expect(await ask(`/v1/leads/${keptLead.id}/notes`, { token })).toMatchObject([{ text: note }]);
    expect(await ask(`/v1/leads/${keptLead.id}`, { token })).toMatchObject({ integrationId: kept.id });

    await page.getByRole("button", { name: `Undo the merge into ${name}` }).click();
    await card.waitFor();
    for (const lead of [keptLead, otherLead])
      expect(await ask(`/v1/leads/${lead.id}`, { token })).toMatchObject({
        integrationId: lead.integrationId,
        crmUrl: lead.crmUrl,
      });
    expect(await ask(`/v1/leads/${otherLead.id}/notes`, { token })).toMatchObject([{ text: note }]);
  }
});
