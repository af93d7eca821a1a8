import { expect, test } from "vitest";
import { CrmError } from "./crm.ts";

test("an error that quotes the CRM has no characters that a database refuses", () => {
  expect(new CrmError("refused", "No\0 such \ud83d field").message).toBe("No such \ufffd field");
});
