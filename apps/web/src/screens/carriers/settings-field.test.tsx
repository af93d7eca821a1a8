// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { type FormValue, readForm } from "./read-form.ts";
import { SettingsField } from "./settings-field.tsx";

afterEach(cleanup);

const codecs = { type: "array", items: { enum: ["opus", "PCMU", "PCMA"] }, title: "Codecs" };
const capabilities = { hold: true, transfer: true, inbound: true, digits: "media", numbers: false } as const;
const form = { properties: { codecs } };
const [field] = readForm({ kind: "trunk", name: "Trunk", capabilities, presets: [], form });

function ticked(name: string, chosen: string[]): FormValue[] {
  const changes: FormValue[] = [];
  if (!field) throw new Error("the form has no such field");
  render(
    <SettingsField
      {...{ field, value: chosen, message: undefined, kept: false, onChange: (to) => changes.push(to) }}
    />,
  );
  fireEvent.click(screen.getByRole("checkbox", { name }));
  cleanup();
  return changes;
}

test("a chosen item is inserted before those that follow it in the list, and the others keep their order", () => {
  expect(ticked("opus", ["PCMA", "PCMU"])).toEqual([["opus", "PCMA", "PCMU"]]);
  expect(ticked("PCMA", ["opus", "PCMU"])).toEqual([["opus", "PCMU", "PCMA"]]);
  expect(ticked("opus", ["opus", "PCMU"])).toEqual([["PCMU"]]);
});
