import { expect, test } from "vitest";
import { makeOrganisation, registerPerson, testApp } from "../../../testing/test-app.ts";
import { ownerPool } from "../../../testing/test-database.ts";
import { foldText } from "@leadline/contract/fold-text";

const app = testApp();
const owner = ownerPool();

test("the database's fold function matches the server's", async () => {
  const texts = [
    "Müßig ẞ",
    "Zoë Ångström Þór",
    "ØRSTED łódź Æsir œuvre Đorđe İzmir ılık",
    "Жуков Йод",
    "東京 がく",
    "한국",
    "🚀%_\\",
  ];
  for (const text of texts) {
    const { rows } = await owner.query<{ fold: string }>("select leadline_search.fold($1) as fold", [text]);
    expect(rows[0]?.fold).toBe(foldText(text));
  }
  expect(foldText("Müßig")).toBe("mussig");
});

test.each(["muller", "MÜLLER", "Mu\u0308ller", "muss jose", "josé"])("a lead is found by %s", async (search) => {
  const person = await registerPerson(app);
  await makeOrganisation(app, person);
  const body = { firstName: "José", lastName: "Müller-Müßig", email: "jm@x.example", phone: "+12025550100" };
  await app.ask("POST", "/v1/leads", { token: person.token, body });
  const found = await app.ask("GET", `/v1/leads?search=${encodeURIComponent(search)}`, { token: person.token });
  expect(found.json()).toMatchObject([{ lastName: "Müller-Müßig" }]);
});
