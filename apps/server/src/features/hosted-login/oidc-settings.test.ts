import { expect, test } from "vitest";
import { readConfig } from "../../config.ts";

test("the settings depend on each other and need a safe issuer, and say so", () => {
  const read = (settings: Record<string, string>) => readConfig(settings, { dev: false });
  const whole = { OIDC_ISSUER: "https://id.example.com", OIDC_CLIENT_ID: "leadline", OIDC_CLIENT_SECRET: "secret" };
  expect(read({}).oidc).toBeNull();
  expect(read(whole).oidc).toEqual({
    issuer: new URL("https://id.example.com"),
    clientId: "leadline",
    clientSecret: "secret",
    name: "single sign-on",
    trustEmail: false,
  });
  expect(read({ ...whole, OIDC_TRUST_EMAIL: "on" }).oidc?.trustEmail).toBe(true);
  expect(() => read({ ...whole, OIDC_TRUST_EMAIL: "yes" })).toThrow(/OIDC_TRUST_EMAIL must be on or off/);
  expect(() => read({ OIDC_TRUST_EMAIL: "on" })).toThrow(/must be set together/);
  expect(read({ ...whole, OIDC_ISSUER: "http://localhost:9000", OIDC_NAME: "Harbour ID" }).oidc?.name).toBe(
    "Harbour ID",
  );
  for (const name of Object.keys(whole)) expect(() => read({ ...whole, [name]: "" })).toThrow(/must be set together/);
  expect(() => read({ OIDC_NAME: "Harbour ID" })).toThrow(/must be set together/);
  expect(() => read({ ...whole, OIDC_ISSUER: "http://id.example.com" })).toThrow(/OIDC_ISSUER must be an https:/);
  expect(() => read({ ...whole, OIDC_ISSUER: "id.example.com" })).toThrow(/OIDC_ISSUER must be an address/);
});
