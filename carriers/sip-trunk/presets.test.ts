import { describe, expect, it, test } from "vitest";
import { presets } from "./presets.ts";
import { settings } from "./settings.ts";

const asked: Record<string, unknown> = {
  host: "pbx.example.com",
  user: "200",
  authenticationUser: "auth200",
  password: "secret",
};

test("a dozen and more providers and PBXes are known, each by a name of its own", () => {
  expect(presets.length).toBeGreaterThanOrEqual(12);
  expect(new Set(presets.map(({ id }) => id)).size).toBe(presets.length);
  expect(new Set(presets.map(({ name }) => name)).size).toBe(presets.length);
});

describe.each(presets.map((preset) => [preset.name, preset] as const))("%s", (_name, preset) => {
  it("is complete with what is asked, and keeps every setting of its own", () => {
    const given = { ...preset.settings, ...Object.fromEntries(preset.asks.map((name) => [name, asked[name]])) };
    expect(settings.parse(given)).toMatchObject(given);
  });

  it("asks for user and password, and for the server of a PBX alone", () => {
    expect(preset.asks).toEqual(expect.arrayContaining(["user", "password"]));
    expect(preset.asks.includes("host")).toBe(preset.of === "pbx");
    const more = preset.asks.filter((name) => name !== "user" && name !== "password");
    expect(preset.of === "provider" ? more : []).toEqual([]);
  });

  it("says in a sentence what to know, and where that was taken from", () => {
    expect(preset.note).toMatch(/\.$/);
    expect(new URL(preset.source).protocol).toBe("https:");
  });
});
