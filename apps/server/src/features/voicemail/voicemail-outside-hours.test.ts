import type { Call } from "@leadline/contract/calls";
import { expect, test, vi } from "vitest";
import { carrierModules } from "../../adapters.ts";
import { openEventStream } from "../../testing/open-event-stream.ts";
import { openOffice, untilMissed } from "../../testing/open-office.ts";
import { openCaller, sit, switchboard } from "../../testing/open-switchboard.ts";
import { testAppWithCalls } from "../../testing/test-calls.ts";

const app = testAppWithCalls([...carrierModules, switchboard]);

test("outside the opening hours a call goes straight to voicemail, and rings in no tab", async () => {
  const { rep, putThrough } = await openOffice(app);
  const tomorrow = new Date(Date.now() + 24 * 60 * 60_000).toLocaleDateString("en-US", {
    weekday: "long",
    timeZone: "UTC",
  });
  const setHours = (openingHours: object[]) =>
    app.ask("PUT", `/v1/organisations/${rep.organisationId}`, {
      token: rep.token,
      body: { timeZone: "UTC", openingHours },
    });
  const changed = await setHours([{ day: tomorrow.toLowerCase(), opensAt: "09:00", closesAt: "17:00" }]);
  expect(changed.statusCode).toBe(200);
  await sit(app, rep);
  const origin = app.http.listeningOrigin;
  const stream = await openEventStream(origin, { token: rep.token });
  const caller = await openCaller();
  const heard = putThrough(undefined, caller);
  await vi.waitFor(() => expect(heard).toEqual(["answered"]));
  await untilMissed(app, rep, "in-voicemail");
  const statuses = stream.events.flatMap(({ event, data }) =>
    event === "call.updated" && data ? [(JSON.parse(data) as Call).status] : [],
  );
  expect(statuses).not.toContain("ringing");
  caller.hangUp();
  stream.close();

  await setHours([]);
  const rung = putThrough();
  await vi.waitFor(() => expect(rung).toEqual(["ringing"]));
});
