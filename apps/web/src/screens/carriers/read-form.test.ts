import { describe, expect, test } from "vitest";
import { isShown, readForm, sortMessages, startValues, toSettings } from "./read-form.ts";

const fields = readForm({
  kind: "trunk",
  name: "Trunk",
  capabilities: { hold: true, transfer: true, inbound: true, digits: "media", numbers: false },
  presets: [],
  form: {
    type: "object",
    required: ["host"],
    properties: {
      host: { type: "string", title: "Server" },
      signIn: {
        type: "string",
        enum: ["password", "ip"],
        default: "password",
        title: "Sign-in",
        choices: { ip: "IP" },
      },
      password: {
        anyOf: [{ type: "string" }, { type: "null" }],
        default: null,
        title: "Password",
        secret: true,
        shownFor: { signIn: ["password"] },
      },
      proxy: { type: ["string", "null"], default: null, title: "Proxy" },
      numbers: { type: "array", items: { type: "string" }, default: [], title: "Numbers" },
      codecs: { type: "array", items: { enum: ["PCMU", "PCMA"] }, default: ["PCMU"], title: "Codecs", advanced: true },
      seconds: { type: "integer", default: 30, title: "Every", advanced: true, unit: "seconds" },
    },
  },
});
const values = startValues(fields);

describe("a carrier's form", () => {
  test("shows each setting by its kind, with the carrier's defaults", () => {
    expect(fields.map(({ kind }) => kind)).toEqual(["text", "choice", "secret", "text", "lines", "choices", "number"]);
    expect(values).toEqual({
      host: "",
      signIn: "password",
      password: "",
      proxy: "",
      numbers: "",
      codecs: ["PCMU"],
      seconds: "30",
    });
    expect(fields[1]?.choices).toEqual([
      { value: "password", label: "password" },
      { value: "ip", label: "IP" },
    ]);
  });
  test("shows stored values, lists with one item per line", () => {
    const kept = startValues(fields, { host: "pbx", numbers: ["+1", "+2"], seconds: 60 });
    expect(kept).toMatchObject({ host: "pbx", numbers: "+1\n+2", seconds: "60", signIn: "password" });
  });
  test("returns lists and numbers as such, and omits empty and hidden settings", () => {
    const typed = { ...values, host: "pbx", numbers: " +1 \n\n+2, +3", seconds: "45", password: "x" };
    expect(toSettings(fields, typed)).toEqual({
      host: "pbx",
      signIn: "password",
      password: "x",
      numbers: ["+1", "+2", "+3"],
      codecs: ["PCMU"],
      seconds: 45,
    });
    expect(toSettings(fields, values)).toMatchObject({ host: "" });
    expect(toSettings(fields, values)).not.toHaveProperty("password");
    expect(toSettings(fields, { ...typed, signIn: "ip" })).not.toHaveProperty("password");
    expect(fields.filter((field) => !isShown(field, { ...values, signIn: "ip" })).map(({ name }) => name)).toEqual([
      "password",
    ]);
  });
  test("shows each refusal at its setting, and names the lines of a list", () => {
    const errors = [
      { field: "settings.host", message: "a b: Enter a name." },
      { field: "settings.host", message: "c:0: Enter a port." },
      { field: "settings.seconds", message: "Type a number." },
      { field: "settings.seconds", message: "Type a number." },
      { field: "settings.numbers.1", message: "Write numbers with +." },
      { field: "settings.numbers.2", message: "Write numbers with +." },
      { field: "label", message: "Too short." },
      { field: "pricePerMinute", message: "Enter an amount." },
      { field: "settings.unknown", message: "Unknown." },
    ];
    expect(sortMessages(fields, { ...values, numbers: "+1\n22\n33" }, errors)).toEqual({
      byName: {
        host: "a b: Enter a name. c:0: Enter a port.",
        seconds: "Type a number.",
        numbers: "22, 33: Write numbers with +.",
        label: "Too short.",
        pricePerMinute: "Enter an amount.",
      },
      elsewhere: ["Unknown."],
    });
  });
});
