import { AsyncLocalStorage } from "node:async_hooks";
import { endpoints } from "@leadline/contract/endpoints";
import { expect, test } from "vitest";
import { type AuditContext, auditing, currentAudit } from "../../db/audit-context.ts";
import { type Route, route } from "../../http/route.ts";
import { reachOwner } from "./reach-owner.ts";
import type { Commands } from "./run-commands.ts";

/** Carries commands as JSON, as the table does, to another process, which knows nothing of the request's context. */
function wire(): Commands {
  const inAnotherProcess = AsyncLocalStorage.snapshot();
  let run: ((command: unknown) => Promise<unknown>) | undefined;
  return {
    processKey: 1,
    ask: async (_key, command) => inAnotherProcess(async () => run?.(JSON.parse(JSON.stringify(command)))),
    serve: (next) => void (run = next),
    announce: async () => {},
    onAnnounced: () => {},
    close: async () => {},
  };
}

test("what another process does for a request is attributed to that request in the audit log", async () => {
  const seen: (AuditContext | null)[] = [];
  const hangUp = (owner: number | null): Route =>
    route(
      endpoints.hangUpCall,
      async () => {
        seen.push(currentAudit());
        throw new Error("far enough");
      },
      { owner: async () => owner },
    );
  const commands = wire();
  const [here] = reachOwner([hangUp(2)], commands);
  reachOwner([hangUp(null)], commands);
  const context: AuditContext = {
    action: "call.hung-up",
    userId: "u",
    organisationId: "o",
    address: "10.0.0.1",
    userAgent: "Firefox",
    requestId: "r",
  };
  const asked = { caller: null, params: { callSid: "CA" }, query: undefined, headers: undefined, body: undefined };
  await expect(auditing(context, async () => here?.handle(asked as never))).rejects.toThrow("far enough");
  expect(seen).toEqual([context]);
});
