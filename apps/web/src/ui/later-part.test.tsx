// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { fetchPartsAfter, laterPart, preloadLaterParts } from "./later-part.tsx";

test("deferred parts load one after the other, each in a task of its own", async () => {
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

test("without a network, a part is fetched once the network is back", async () => {
  const back = Promise.withResolvers<void>();
  fetchPartsAfter(() => back.promise);
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  let fetched = 0;
  const load = async () => {
    fetched += 1;
    return { Part: () => null };
  };
  const loading = laterPart(load, "Part").preload();
  await Promise.resolve();
  expect(fetched).toBe(0);
  back.resolve();
  await loading;
  expect(fetched).toBe(1);
});
