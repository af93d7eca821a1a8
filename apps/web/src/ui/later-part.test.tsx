// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { laterPart, preloadLaterParts } from "./later-part.tsx";

test("later parts come one after the other, each in a task of its own", async () => {
  const told: string[] = [];
  const part = (name: string) =>
    laterPart(async () => {
      setTimeout(() => told.push(`a task after ${name}`));
      told.push(name);
      return { Part: () => null };
    }, "Part");
  const [menu, toasts] = [part("menu"), part("toasts")];
  await preloadLaterParts();
  expect(told).toEqual(["menu", "a task after menu", "toasts", "a task after toasts"]);
  expect([menu.isHere(), toasts.isHere()]).toEqual([true, true]);
});
