import type { PaymentModule } from "@leadline/adapter-kit/payment";
import { payment as sandbox } from "@leadline/payment-sandbox/server";
import { expect, test } from "vitest";
import { createLog } from "../../log.ts";
import { openPayments } from "./open-payments.ts";

const moving: PaymentModule = {
  ...sandbox,
  id: "moving",
  open(settings, options) {
    const provider = sandbox.open(sandbox.settings.parse(settings), options);
    return provider && { ...provider, movesMoney: true };
  },
};
const open = (modules: readonly PaymentModule[]) =>
  openPayments(modules, { environment: {}, dataDir: null, onReport: async () => {}, log: createLog("fatal") });

test("the sandbox's pages are gone once another provider is in use, but its payments can still be looked up", () => {
  expect(open([sandbox]).adapterRoutes.map(({ prefix }) => prefix)).toEqual([`/api/adapters/${sandbox.id}`]);
  const both = open([moving, sandbox]);
  expect(both.inUse?.module.id).toBe("moving");
  expect(both.adapterRoutes.map(({ prefix }) => prefix)).toEqual(["/api/adapters/moving"]);
  expect(both.find(sandbox.id)).toBeDefined();
});
