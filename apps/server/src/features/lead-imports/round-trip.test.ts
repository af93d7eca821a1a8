import { expect, test, vi } from "vitest";
import { makeOrganisation, registerPerson, testApp } from "../../testing/test-app.ts";

const app = testApp();
async function newRep() {
  const person = await registerPerson(app);
  return { ...person, organisationId: (await makeOrganisation(app, person)).id };
}

test("an export can be imported again completely, including CRM leads without an email, a number or a first name, and names with formulas", async () => {
  const [from, to] = [await newRep(), await newRep()];
  const lead = { firstName: "Ann", lastName: "Rook", email: "ann@x.example", phone: "+12025550100" };
  const differing = [
    { email: "" },
    { phone: "" },
    { firstName: "" },
    { firstName: "", email: "" },
    { firstName: "", phone: "" },
    { firstName: "Ann;=1+1", lastName: `Rook;"'@SUM(A1)` },
  ];
  await app.database.withTransaction({ organisationId: from.organisationId }, (tx) =>
    tx
      .insertInto("leads")
      .values(
        differing.map((other, index) => {
          const { firstName, lastName, email, phone } = { ...lead, phone: `+1202555010${index}`, ...other };
          return {
            organisation_id: from.organisationId,
            first_name: firstName,
            last_name: lastName,
            email,
            phone,
            phone_number: null,
            follow_up_on: null,
            integration_id: null,
            external_id: null,
          };
        }),
      )
      .execute(),
  );
  const exported = await app.ask("GET", "/v1/leads/export", { token: from.token });
  const form = new FormData();
  form.append("file[]", new File([new Uint8Array(exported.rawPayload)], "leads.csv"));
  const { token } = to;
  const { id, suggestedMapping } = (await app.ask("POST", "/v1/lead-imports", { token, form })).json();
  await app.ask("POST", `/v1/lead-imports/${id}/start`, { token, body: { mapping: suggestedMapping } });
  await vi.waitFor(async () => {
    const imported = (await app.ask("GET", `/v1/lead-imports/${id}`, { token })).json();
    expect(imported).toMatchObject({ state: "completed", created: differing.length, skipped: 0, failed: 0 });
  });
  const leadsOf = async (person: typeof from): Promise<object[]> => {
    const listed = (await app.ask("GET", "/v1/leads?sort=oldest", { token: person.token })).json();
    return listed.map(({ firstName, lastName, email, phone }: typeof lead) => ({ firstName, lastName, email, phone }));
  };
  expect(await leadsOf(to)).toEqual(await leadsOf(from));
});
