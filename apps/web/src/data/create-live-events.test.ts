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

interface More {
  silenceMs?: number;
  refresh?: () => Promise<RefreshOutcome>;
  /** Shares the stream with this user's other tabs. */
  sharedBy?: string;
}

function follow(baseUrl: string, more: More = {}) {
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
    userId: () => more.sharedBy ?? null,
    sharing: {
      locks: navigator.locks,
      openChannel: (name) => new BroadcastChannel(name),
      quietMs: 5_000,
      impatientMs: 100,
    },
  });
  events.subscribe("organisation.updated", ({ balance }) => heard.push(balance));
  onTestFinished(events.stop);
  return { events, heard, onMissed, onOtherOrganisation, onSignedOut };
}

test("sends the token in a header, delivers events by name, and resumes after the last event when the stream breaks", async () => {
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

test("refreshes once on a 401 and continues with the new token", async () => {
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
  "an ended session closes the stream, and reports how: %s",
  async (how) => {
    const api = await startFakeApi((_, response) => sendProblem(response, 401, "not-signed-in"));
    const { events, onSignedOut } = follow(api.baseUrl, { refresh: async () => how });
    events.follow("o");
    await vi.waitFor(() => expect(onSignedOut).toHaveBeenCalledExactlyOnceWith(how));
    await vi.waitFor(() => expect(events.state()).toBe("closed"));
  },
);

test("a reset, or a gap with nothing to resume from, means that events were missed", async () => {
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

test("another organisation's stream starts now", async () => {
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

test("a silent stream is considered dead and reopened", async () => {
  const api = await startFakeApi((_, response) => open(response));
  const { events } = follow(api.baseUrl, { silenceMs: 40 });
  events.follow("o");
  await vi.waitFor(() => expect(api.requests.length).toBeGreaterThan(1));
});

test.each([
  ["a removal from the organisation", 403, "no-organisation"],
  ["a switch to another in another tab", 409, "organisation-switched"],
] as const)(
  "reports a refused stream, and that nothing is read in another organisation, as after %s",
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

test("a stream that fails to open, or breaks, is lost until it is open again", async () => {
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

test("tabs share one stream: each gets every event, and a tab opened later learns that it is open", async () => {
  let response: ServerResponse | undefined;
  const api = await startFakeApi((_, opened) => {
    response = opened;
    open(opened);
    opened.write("id: 7\n\n");
  });
  const tabs = [follow(api.baseUrl, { sharedBy: "ann" }), follow(api.baseUrl, { sharedBy: "ann" })];
  for (const { events } of tabs) events.follow("shared");
  await vi.waitFor(() => expect(tabs.map(({ events }) => events.state())).toEqual(["open", "open"]));
  tabs.push(follow(api.baseUrl, { sharedBy: "ann" }));
  tabs[2]?.events.follow("shared");
  await vi.waitFor(() => expect(tabs[2]?.events.state()).toBe("open"));
  response?.write(event(8, "organisation.updated", organisation));
  await vi.waitFor(() => expect(tabs.map(({ heard }) => heard)).toEqual([[5], [5], [5]]));
  expect(api.requests).toHaveLength(1);
  for (const { onMissed } of tabs) expect(onMissed).not.toHaveBeenCalled();
});

test("when the reading tab is closed, the next one continues where it stopped, and nothing is delivered twice", async () => {
  const api = await startFakeApi(({ lastEventId }, response) => {
    open(response);
    response.write(event(7, "organisation.updated", organisation));
    if (lastEventId !== undefined) response.write(event(8, "organisation.updated", { ...organisation, balance: 6 }));
  });
  const [first, second] = [follow(api.baseUrl, { sharedBy: "bob" }), follow(api.baseUrl, { sharedBy: "bob" })];
  first.events.follow("o");
  second.events.follow("o");
  await vi.waitFor(() => expect([first.heard, second.heard]).toEqual([[5], [5]]));
  first.events.stop();
  await vi.waitFor(() => expect(second.heard).toEqual([5, 6]));
  expect(api.requests.map(({ lastEventId }) => lastEventId)).toEqual([undefined, "7"]);
  expect(second.onMissed).not.toHaveBeenCalled();
});

test("a tab takes over from a frozen one that has the stream, which follows once it wakes up", async () => {
  const api = await startFakeApi((_, response) => {
    open(response);
    response.write("id: 7\n\n");
  });
  const wokeUp = vi.fn<() => void>();
  // Holds the lock and sends nothing.
  navigator.locks.request("leadline.events.cat.o", () => new Promise(() => {})).catch(wokeUp);
  const { events } = follow(api.baseUrl, { sharedBy: "cat" });
  events.follow("o");
  await vi.waitFor(() => expect(events.state()).toBe("open"));
  expect(wokeUp).toHaveBeenCalledOnce();
});

test("a tab that no longer leads stops its own stream", async () => {
  const ended: boolean[] = [];
  const api = await startFakeApi((_, response) => {
    open(response);
    response.on("close", () => ended.push(true));
  });
  const { events } = follow(api.baseUrl, { sharedBy: "dan" });
  events.follow("o");
  await vi.waitFor(() => expect(events.state()).toBe("open"));
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const stolen = navigator.locks.request("leadline.events.dan.o", { steal: true }, () => held);
  await vi.waitFor(() => expect(ended).toEqual([true]));
  expect(api.requests).toHaveLength(1);
  letGo();
  await stolen;
  await vi.waitFor(() => expect(api.requests).toHaveLength(2));
});

test("a tab that slept through events refetches everything, once", async () => {
  const api = await startFakeApi((_, response) => {
    open(response);
    response.write("id: 7\n\n");
  });
  const [reader, sleeper] = [follow(api.baseUrl, { sharedBy: "eve" }), follow(api.baseUrl, { sharedBy: "eve" })];
  reader.events.follow("o");
  sleeper.events.follow("o");
  await vi.waitFor(() => expect(sleeper.events.state()).toBe("open"));
  const channel = new BroadcastChannel("leadline.events.eve.o");
  onTestFinished(() => channel.close());
  const event9 = { id: "9", type: "organisation.updated", data: JSON.stringify(organisation) };
  channel.postMessage({ message: { is: "event", event: event9, after: "8" } });
  await vi.waitFor(() => expect(sleeper.heard).toEqual([5]));
  expect(sleeper.onMissed).toHaveBeenCalledOnce();
});

test("tabs of another user or organisation share nothing", async () => {
  const api = await startFakeApi((_, response) => open(response));
  const tabs = [
    ["fay", "o"],
    ["fay", "p"],
    ["gus", "o"],
  ] as const;
  for (const [sharedBy, organisationId] of tabs) follow(api.baseUrl, { sharedBy }).events.follow(organisationId);
  await vi.waitFor(() => expect(api.requests).toHaveLength(3));
});
