import { describe, expect, test } from "vitest";
import { z } from "zod";
import { countries, defaultCountry } from "./countries.ts";
import { endpoints } from "./endpoints.ts";
import { Integration } from "./integrations.ts";
import { Lead, LeadStatus } from "./leads.ts";
import { Organisation } from "./organisations.ts";
import { AvailableNumber, countsAsSearch, PhoneNumber } from "./phone-numbers.ts";
import { ProblemDocument } from "./problem.ts";
import { User } from "./users.ts";

const all = Object.values(endpoints);

describe("an entity's fields", () => {
  test.each([
    ["User", User, ["id", "firstName", "lastName", "email", "avatar", "activeOrganisation"]],
    ["Organisation", Organisation, ["id", "name", "description", "website", "balance"]],
    ["Integration", Integration, ["id", "label", "service", "workspaceDomain", "status"]],
    ["Lead", Lead, ["id", "firstName", "lastName", "email", "phone", "status"]],
    ["Owned phone number", PhoneNumber, ["id", "number", "provider", "createdAt"]],
    ["Available number", AvailableNumber, ["number", "location", "region", "capabilities", "monthlyCost"]],
    ["Error", ProblemDocument, ["detail", "title", "status"]],
  ] as const)("%s", (_, schema, fields) => {
    expect(Object.keys(schema.shape)).toEqual(expect.arrayContaining([...fields]));
  });

  test("an active organisation has an id, capabilities are voice, sms, mms and fax, and statuses inactive or active", () => {
    expect(Object.keys(User.shape.activeOrganisation.unwrap().shape)).toContain("id");
    expect(Object.keys(AvailableNumber.shape.capabilities.shape)).toEqual(["voice", "sms", "mms", "fax"]);
    expect(Integration.shape.status.options).toEqual(["inactive", "active"]);
    expect(LeadStatus.options).toEqual(["New", "Working", "Nurturing", "Qualified", "Unqualified"]);
  });

  test("a search needs at least two characters", () => {
    expect(countries).toHaveLength(38);
    expect(defaultCountry).toBe("US");
    for (const country of countries)
      expect(country).toEqual({
        name: expect.stringMatching(/^\p{L}.{3,}$/u),
        iso: expect.stringMatching(/^[A-Z]{2}$/),
        dialCode: expect.stringMatching(/^\+\d{1,3}$/),
      });
    expect(countries[0]).toEqual({ name: "United States", iso: "US", dialCode: "+1" });
    const dialCodes = Object.fromEntries(countries.map(({ iso, dialCode }) => [iso, dialCode]));
    expect(dialCodes).toMatchObject({
      US: "+1",
      CA: "+1",
      GB: "+44",
      DE: "+49",
      FR: "+33",
      IN: "+91",
      JP: "+81",
      AU: "+61",
    });
  });

  test("a search text counts from its second character on", () => {
    expect(["", "1", " 1 ", "12"].map(countsAsSearch)).toEqual([false, false, false, true]);
  });
});

describe("a specified endpoint", () => {
  const paths = [
    "GET /v1/users/me",
    "GET /v1/users/{id}",
    "PUT /v1/users/{id}",
    "PUT /v1/users/set-organisation/{id}",
    "POST /v1/login",
    "POST /v1/register",
    "POST /v1/token/refresh",
    "POST /v1/files",
    "GET /v1/integrations",
    "POST /v1/integrations",
    "POST /v1/integrations/{id}/sync",
    "POST /v1/integrations/salesforce/login/{id}",
    "POST /v1/integrations/salesforce/callback",
    "GET /v1/leads",
    "POST /v1/leads",
    "POST /v1/calls",
    "GET /v1/organisations",
    "GET /v1/organisations/{id}",
    "POST /v1/organisations",
    "GET /v1/phone-numbers",
    "GET /v1/phone-numbers/available",
  ];
  test.each(paths)("%s is in the contract", (path) => {
    expect(all.filter((one) => `${one.method} ${one.path}` === path)).toHaveLength(1);
  });

  test("login, register and refresh are public, and nothing personal is", () => {
    const open = all.filter(({ access }) => access === "public").map(({ path }) => path);
    expect(open).toEqual(expect.arrayContaining(["/v1/login", "/v1/register", "/v1/token/refresh"]));
    expect(
      open.filter((path) => /users|organisations|integrations|leads|calls|files|phone-numbers/.test(path)),
    ).toEqual([]);
  });

  test("calls need membership of an organisation", () => {
    expect(endpoints.startCall.access).toBe("member");
  });

  test("files are sent in parts named file[], with an entity and its id", () => {
    expect(endpoints.uploadFiles.files.most).toBeGreaterThan(1);
    expect(Object.keys(endpoints.uploadFiles.body.shape)).toEqual(["entity", "entityId"]);
    expect(endpoints.uploadFiles.body.safeParse({})).toMatchObject({ success: true });
  });

  test("lists are plain arrays", () => {
    for (const list of [
      endpoints.listIntegrations,
      endpoints.listLeads,
      endpoints.listOrganisations,
      endpoints.listPhoneNumbers,
      endpoints.listAvailableNumbers,
    ])
      expect(list.success[1]).toBeInstanceOf(z.ZodArray);
  });
});
