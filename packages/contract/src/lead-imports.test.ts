import { expect, test } from "vitest";
import { LeadMapping, readLeadRow } from "./lead-imports.ts";

const mapping = { firstName: 0, lastName: 1, email: 2, phone: 3, status: 4, followUpOn: 5 };
const row = ["Bob", "Stone", "bob@x.example", "+12025550100", "", ""];

test("maps a row to a lead, whatever the order, spaces and case of its cells", () => {
  const mixed = { phone: 0, firstName: 1, lastName: 2, email: 3, status: 4 };
  expect(readLeadRow([" +1 202 555 0100 ", "Bob", "Stone", "bob@x.example", "WORKING"], mixed)).toEqual({
    lead: {
      firstName: "Bob",
      lastName: "Stone",
      email: "bob@x.example",
      phone: "+1 202 555 0100",
      status: "Working",
      followUpOn: null,
    },
  });
});

test("removes the apostrophe that an export put before a sign, and keeps others", () => {
  const cells = ["'=Bob", "O'Stone", "'bob@x.example", "'+12025550100", "", ""];
  expect(readLeadRow(cells, mapping)).toMatchObject({
    lead: { firstName: "=Bob", lastName: "O'Stone", email: "'bob@x.example", phone: "+12025550100" },
  });
});

test.each([
  [["", "Stone", "", "+12025550100", "", ""], { firstName: "", lastName: "Stone", email: "", phone: "+12025550100" }],
  [["Bob", "", "bob@x.example", "", "", ""], { firstName: "Bob", lastName: "", email: "bob@x.example", phone: "" }],
])("a row needs one name, and a phone or an email: %j", (cells, lead) => {
  expect(readLeadRow(cells, mapping)).toMatchObject({ lead });
});

test("a row without a phone and an email is not a lead", () => {
  expect(readLeadRow(["Bob", "Stone", "", " ", "New", ""], mapping)).toEqual({
    message: "A lead needs a phone number or an email.",
  });
});

test.each<[object, string[]]>([
  [{ lastName: 0, phone: 1 }, []],
  [{ firstName: 0, email: 1 }, []],
  [{ firstName: 0, lastName: 1, status: 2 }, ["phone"]],
  [{ phone: 0, email: 1 }, ["firstName"]],
  [{}, ["firstName", "phone"]],
])("a mapping needs a column for a name, and one for the phone or the email: %j", (chosen, missing) => {
  const parsed = LeadMapping.safeParse(chosen);
  expect(parsed.error?.issues.map(({ path }) => path[0]) ?? []).toEqual(missing);
});

test.each([
  ["nomail", "+12025550100", "“nomail” isn’t an email address."],
  ["bob@x.example", "call me at 5", "“call me at 5” isn’t a phone number."],
  ["nomail", "ask reception", "“nomail” isn’t an email address. “ask reception” isn’t a phone number."],
  ["nomail", "", "“nomail” isn’t an email address."],
])("an email of “%s” with a phone of “%s” is not a lead: %s", (email, phone, message) => {
  expect(readLeadRow(["Bob", "Stone", email, phone, "", ""], mapping)).toEqual({ message });
});

test.each(["(202) 555-0100", "+1 202 555 0100 ext. 12", "+683 4000 (mobile)", "٠٢٠٢٥٥٥٠١٠٠"])(
  "a phone of “%s” stays as it is written",
  (phone) => {
    expect(readLeadRow(["Bob", "Stone", "Bob <bob@x.example>", phone, "", ""], mapping)).toMatchObject({
      lead: { phone, email: "Bob <bob@x.example>" },
    });
  },
);

test("an invalid row gets the form's own error messages", () => {
  expect(readLeadRow(["B", "C", "b", "1", "", ""], mapping)).toEqual({
    message:
      "First name must be at least 2 characters. Last name must be at least 2 characters. " +
      "Email must be at least 6 characters. Phone must be at least 8 characters.",
  });
  expect(readLeadRow(["", "", ...row.slice(2)], mapping)).toEqual({ message: "A lead needs a first or a last name." });
  expect(readLeadRow([...row.slice(0, 4), "Hot"], mapping)).toHaveProperty(
    "message",
    expect.stringMatching(/^Status must be one of New/),
  );
  expect(readLeadRow(row, {})).toHaveProperty("message");
  expect(readLeadRow([], mapping)).toHaveProperty("message");
});
