import { describe, expect, test } from "vitest";
import { specifiedForms, specifiedlyGood, specifiedMessages } from "./testing/specified-rules.ts";

describe("the forms' rules", () => {
  test.each(specifiedMessages)("%s: %s of %j says: %s", (form, field, value, message) => {
    const { schema, good } = specifiedForms[form];
    const issues = schema.safeParse({ ...good, [field]: value }).error?.issues ?? [];
    expect(issues.map((issue) => [issue.path.join("."), issue.message])).toEqual([[field, message]]);
  });
  test.each(specifiedlyGood)("%s accepts %j", (form, change) => {
    const { schema, good } = specifiedForms[form];
    expect(schema.safeParse({ ...good, ...change }).error?.issues).toBeUndefined();
  });
});
