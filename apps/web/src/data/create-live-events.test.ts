// @vitest-environment node
import type { ServerResponse } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { createLiveEvents } from "./create-live-events.ts";
import type { RefreshOutcome } from "./refresh-access.ts";
import { sendProblem, startFakeApi } from "./testing/fake-api.ts";

const organisation = { id: "o", name: "Harbour", description: null, website: null, balance: 5 };
const event = (id: number, type: string, data: unknown) =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
const open = (response: ServerResponse) =>
  response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();

function follow(baseUrl: string, more: { silenceMs?: number; refresh?: () => Promise<RefreshOutcome> } = {}) {
  const onMissed = vi.fn<() => void>();
  const onOtherOrganisation = vi.fn<() => void>();
  const onSignedOut = vi.fn<(outcome: string) => void>();
  const heard: number[] = [];
  let accessToken = "access-0";
  const events = createLiveEvents({
    url: `${baseUrl}/v1/events`,
    accessToken: () => accessToken,
    async refreshAccess() {
      accessToken = "access-1";
      return (await more.refresh?.()) ?? "refreshed";
    },
    onSignedOut,
    onMissed,
    onOtherOrganisation,
    firstRetryMs: 5,
    longestRetryMs: 20,
    silenceMs: more.silenceMs ?? 5_000,
  });
  events.subscribe("organisation.updated", ({ balance }) => heard.push(balance));
  onTestFinished(events.stop);
  return { events, heard, onMissed, onOtherOrganisation, onSignedOut };
}

test("carries the token in a header, delivers by name, and resumes after the last event when the stream breaks", async () => {
  let connections = 0;
  const api = await startFakeApi((_, response) => {
    connections += 1;
    open(response);
    if (connections === 1) response.end(event(41, "organisation.updated", organisation) + event(42, "unknown", {}));
    else response.write(event(43, "organisation.updated", { ...organisation, balance: 6 }));
  });
  const { events, heard } = follow(api.baseUrl);
  events.follow("o");
  await vi.waitFor(() => expect(heard).toEqual([5, 6]));
  expect(events.state()).toBe("open");
  expect(api.requests[0]).toMatchObject({ path: "/api/v1/events", authorization: "Bearer access-0" });
  expect(api.requests[1]?.lastEventId).toBe("42");
});

test("refreshes once on a 401 and goes on with the new token", async () => {
  const api = await startFakeApi(({ authorization }, response) => {
    if (authorization !== "Bearer access-1") return sendProblem(response, 401, "not-signed-in");
    open(response);
  });
  const { events } = follow(api.baseUrl);
  events.follow("o");
  await vi.waitFor(() => expect(events.state()).toBe("open"));
  expect(api.requests).toHaveLength(2);
});

test.each(["signed-out", "no-session"] as const)(
  "a session that is over ends the stream, and says how: %s",
  async (how) => {
    const api = await startFakeApi((_, response) => sendProblem(response, 401, "not-signed-in"));
    const { events, onSignedOut } = follow(api.baseUrl, { refresh: async () => how });
    events.follow("o");
    await vi.waitFor(() => expect(onSignedOut).toHaveBeenCalledExactlyOnceWith(how));
    await vi.waitFor(() => expect(events.state()).toBe("closed"));
  },
);

test("a reset, and a gap with nothing to resume from, mean that events were missed", async () => {
  let connections = 0;
  const api = await startFakeApi((_, response) => {
    connections += 1;
    open(response);
    if (connections === 1) response.end();
    else response.write(event(9, "reset", {}));
  });
  const { events, onMissed } = follow(api.baseUrl);
  const resets = vi.fn<() => void>();
  events.subscribe("reset", resets);
  events.follow("o");
  await vi.waitFor(() => expect(onMissed).toHaveBeenCalledTimes(2));
  expect(resets).toHaveBeenCalledTimes(2);
});

test("another organisation's stream starts at now", async () => {
  const api = await startFakeApi((_, response) => {
    open(response);
    response.write(event(7, "organisation.updated", organisation));
  });
  const { events, heard } = follow(api.baseUrl);
  events.follow("o");
  await vi.waitFor(() => expect(heard).toHaveLength(1));
  events.follow("p");
  await vi.waitFor(() => expect(heard).toHaveLength(2));
  expect(api.requests[1]?.lastEventId).toBeUndefined();
});

test("a stream that falls silent is taken for dead and opened again", async () => {
  const api = await startFakeApi((_, response) => open(response));
  const { events } = follow(api.baseUrl, { silenceMs: 40 });
  events.follow("o");
  await vi.waitFor(() => expect(api.requests.length).toBeGreaterThan(1));
});

test.each([
  ["a removal from the organisation", 403, "no-organisation"],
  ["a switch to another in another tab", 409, "organisation-switched"],
] as const)(
  "tells, and has nothing read in another organisation, once the stream is refused, as after %s",
  async (_why, status, code) => {
    const api = await startFakeApi((_, response) => sendProblem(response, status, code));
    const { events, onMissed, onOtherOrganisation } = follow(api.baseUrl);
    events.follow("o");
    await vi.waitFor(() => expect(onOtherOrganisation).toHaveBeenCalled());
    expect(onMissed).not.toHaveBeenCalled();
    expect(api.requests[0]?.organisation).toBe("o");
    expect(events.state()).toBe("connecting");
  },
);

test("a stream that would not open, or broke, is lost until it is open again", async () => {
  let connections = 0;
  const api = await startFakeApi((_, response) => {
    connections += 1;
    if (connections === 1) return sendProblem(response, 503, "unavailable");
    open(response);
    if (connections === 2) response.end();
  });
  const { events } = follow(api.baseUrl);
  const states: string[] = [];
  events.onStateChange(() => states.push(events.state()));
  events.follow("o");
  await vi.waitFor(() => expect(states).toEqual(["connecting", "lost", "open", "lost", "open"]));
});
