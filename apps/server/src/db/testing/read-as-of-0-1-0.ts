import type { CarrierConnection } from "@leadline/contract/carriers";
import { expect } from "vitest";
import type { OneOfEverything } from "../../testing/one-of-everything.ts";
import type { TestApp } from "../../testing/test-app.ts";

/** What the owner of data-of-0-1-0.json read in that version, in the order in which that file has the answers. */
export async function readAsOf010(
  app: TestApp,
  { owner, ids }: Pick<OneOfEverything, "owner" | "ids">,
): Promise<unknown> {
  const { token } = owner;
  const read = async (path: string) => (await app.ask("GET", path, { token })).json();
  const [call] = await read("/v1/calls");
  const message = await app.ask("GET", `/v1/calls/${ids["callWithMessage"]}/voicemail`, { token });
  expect(message.statusCode).toBe(200);
  const doNotCall = await read("/v1/do-not-call");
  expect(doNotCall).toHaveLength(1);
  const carriers: CarrierConnection[] = await read("/v1/carriers");
  expect(carriers).toHaveLength(1);
  const lists = [
    "/v1/users/me",
    "/v1/organisations",
    "/v1/phone-numbers",
    "/v1/leads",
    "/v1/integrations",
    `/v1/files?entity=lead&entityId=${ids["lead"]}`,
    `/v1/lead-imports/${ids["leadImport"]}`,
    "/v1/invitations",
    "/v1/members",
    `/v1/leads/${ids["lead"]}/notes`,
    "/v1/call-outcomes",
    `/v1/calls/${ids["callWithMessage"]}`,
    "/v1/voicemail",
  ];
  return [
    ...(await Promise.all(lists.map(read))),
    doNotCall,
    // Its connection state changes by itself.
    carriers.map((carrier) => ({ ...carrier, state: null })),
    { ...(await read("/v1/limits")), used: null },
    [call.callSid, call.endedAt, call.reason, call.muted, call.held, call.transfer, call.note],
    message.rawPayload.length,
  ];
}
