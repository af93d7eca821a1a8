import { setTimeout as sleep } from "node:timers/promises";
import { isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import { sendJson, sendProblem, startFakeApi } from "../../data/testing/fake-api.ts";
import { newTestCall, testUserId } from "./new-test-call.ts";

interface Seen {
  /** "POST /calls", "PUT /media-connections/…": abbreviated, with `{id}` for every id. */
  what: string;
  body: { offer?: string; mediaConnectionId?: string; phoneNumber?: string };
  idempotencyKey: string | undefined;
}
/** "answer lost": the request is carried out, but the response doesn't arrive. */
export type Refusal = [status: number, code: string] | "hang up" | "answer lost";

/** Implements audio connections and calls as the contract says, over real HTTP; it also serves the page under test. */
export async function startCallServer() {
  const seen: Seen[] = [];
  const connections = new Set<string>();
  const calls = new Map<string, Call>();
  const refusals = new Map<string, Refusal[]>();
  const gates = new Map<string, Promise<void>>();
  const callOfKey = new Map<string, string>();
  let named = 0;

  function openConnection(): string {
    named += 1;
    const id = `0199a1b2-7c3d-7e4f-8a5b-${String(named).padStart(12, "0")}`;
    connections.add(id);
    return id;
  }
  function change(callSid: string, news: Partial<Call>): Call {
    const call = calls.get(callSid);
    if (!call) throw new Error(`${callSid} is no call of this server.`);
    const changed = { ...call, revision: call.revision + 1, ...news };
    calls.set(callSid, changed);
    return changed;
  }

  const { baseUrl } = await startFakeApi(async ({ method, path, body: text }, response, incoming) => {
    const [, room = "", id = "", verb = ""] = /^\/api\/v1\/([\w-]+)\/?([\w-]*)\/?([\w-]*)/.exec(path) ?? [];
    const what = `${method} /${[room, id && "{id}", verb].filter(Boolean).join("/")}`;
    const body: Seen["body"] = text ? JSON.parse(text) : {};
    if (room === "media-configuration") return sendJson(response, 200, { iceServers: [], expiresAt: null });
    seen.push({ what, body, idempotencyKey: incoming.headers["idempotency-key"]?.toString() });
    await gates.get(what);
    const refusal = refusals.get(what)?.shift();
    if (refusal === "hang up") return void incoming.socket.destroy();
    if (refusal === "answer lost") response.writeHead = () => response.destroy();
    else if (refusal) return sendProblem(response, ...refusal);
    const isGone = (connectionId: string | undefined) => connectionId !== undefined && !connections.has(connectionId);

    if (room === "media-connections") {
      if (method === "POST") return sendJson(response, 201, { mediaConnectionId: openConnection(), answer: "answer" });
      if (isGone(id) && method === "DELETE") return sendProblem(response, 404, "not-found");
      if (isGone(id)) return sendProblem(response, 409, "media-connection-gone");
      if (method === "PUT") return sendJson(response, 200, { answer: "answer" });
      connections.delete(id);
      return void response.writeHead(204).end();
    }
    const key = new URL(path, "http://this").searchParams.get("idempotencyKey");
    if (method === "GET" && key !== null) {
      const found = calls.get(callOfKey.get(key) ?? "");
      return sendJson(response, 200, found && isLive(found.status) ? [found] : []);
    }
    if (method === "GET") return sendJson(response, 200, id ? calls.get(id) : [...calls.values()]);
    if (method === "PATCH") return sendJson(response, 200, change(id, JSON.parse(text)));
    if (verb === "hang-up") return sendJson(response, 200, change(id, { status: "completed" }));
    if (isGone(body.mediaConnectionId)) return sendProblem(response, 409, "media-connection-gone");
    const negotiated = body.offer === undefined ? {} : { answer: "answer" };
    const mediaConnectionId = body.mediaConnectionId ?? openConnection();
    if (verb === "media" || verb === "answer") {
      const taken = verb === "answer" ? { userId: testUserId, line: 1 as const } : {};
      const { revision } = change(id, { mediaConnectionId, ...taken });
      return sendJson(response, 200, { mediaConnectionId, revision, ...negotiated });
    }
    const call = newTestCall(body.phoneNumber ?? "", calls.size + 1, { mediaConnectionId });
    calls.set(call.callSid, call);
    callOfKey.set(incoming.headers["idempotency-key"]?.toString() ?? "", call.callSid);
    return sendJson(response, 201, { callSid: call.callSid, mediaConnectionId, ...negotiated });
  });
  window.happyDOM.setURL(baseUrl);

  return {
    seen,
    /** Waits until pending requests have arrived and been answered. */
    async quiet(): Promise<void> {
      let before = -1;
      while (before !== seen.length) {
        before = seen.length;
        await sleep(40);
      }
    },
    asked: () => seen.map(({ what }) => what),
    connections,
    openConnection,
    call: (callSid: string) => calls.get(callSid),
    /** Starts a call of this user, on any connection. */
    begin(mediaConnectionId: string | null, idempotencyKey?: string): Call {
      const call = newTestCall("+12025550100", calls.size + 1, { mediaConnectionId, status: "in-progress" });
      calls.set(call.callSid, call);
      if (idempotencyKey !== undefined) callOfKey.set(idempotencyKey, call.callSid);
      return call;
    },
    /** Starts an inbound call. */
    ring(): Call {
      const rings = { direction: "inbound", status: "ringing", userId: null, line: null } as const;
      const call = newTestCall("+442071838750", calls.size + 1, rings);
      calls.set(call.callSid, call);
      return call;
    },
    change,
    /** Refuses the next requests of that kind, one each. */
    refuse: (what: string, ...each: Refusal[]) => void refusals.set(what, each),
    /** Delays responses to requests of that kind until the returned function is called. */
    keepWaiting(what: string): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      gates.set(what, promise);
      return () => {
        gates.delete(what);
        resolve();
      };
    },
  };
}
