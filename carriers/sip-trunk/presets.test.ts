import { describe, expect, it, test } from "vitest";
import { presets } from "./presets.ts";
import { settings } from "./settings.ts";

const asked: Record<string, unknown> = {
  host: "pbx.example.com",
  user: "200",
  authenticationUser: "auth200",
  password: "secret",
};

test("at least twelve providers and PBXes are known, each with a unique name", () => {
  expect(presets.length).toBeGreaterThanOrEqual(12);
  expect(new Set(presets.map(({ id }) => id)).size).toBe(presets.length);
  expect(new Set(presets.map(({ name }) => name)).size).toBe(presets.length);
});

describe.each(presets.map((preset) => [preset.name, preset] as const))("%s", (_name, preset) => {
  it("is complete with the requested settings, and overrides nothing it doesn't name", () => {
    const given = { ...preset.settings, ...Object.fromEntries(preset.asks.map((name) => [name, asked[name]])) };
    expect(settings.parse(given)).toMatchObject(given);
  });

  it("asks for username and password, and for the server only of a PBX", () => {
    expect(preset.asks).toEqual(expect.arrayContaining(["user", "password"]));
    expect(preset.asks.includes("host")).toBe(preset.of === "pbx");
    const more = preset.asks.filter((name) => name !== "user" && name !== "password");
    expect(preset.of === "provider" ? more : []).toEqual([]);
  });

  it("has a note and the source of its settings", () => {
    expect(preset.note).toMatch(/\.$/);
    expect(new URL(preset.source).protocol).toBe("https:");
  });
});
