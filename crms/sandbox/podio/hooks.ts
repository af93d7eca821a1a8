import { randomBytes } from "node:crypto";
import { z } from "zod";
import { json, type SandboxResponse } from "../exchange.ts";
import type { WebhookSender } from "../send-webhooks.ts";
import { apps } from "./apps.ts";
import { apiError, invalid, notFound } from "./errors.ts";
import type { Item, Store } from "./store.ts";

const itemTypes = ["item.create", "item.update", "item.delete"] as const;
export type ItemEvent = (typeof itemTypes)[number];
const HookBody = z.object({ url: z.url({ protocol: /^https?$/ }), type: z.enum(itemTypes) });
const CodeBody = z.object({ code: z.string() });

/** Hooks of apps: create, list, delete, verify. A hook reports once its address has returned the code. */
export function createHooks({ state, save }: Store, sender: WebhookSender) {
  const post = (url: string, fields: Record<string, string>): void =>
    sender.send(() => ({
      method: "POST",
      url: new URL(url),
      headers: { "content-type": "application/x-www-form-urlencoded", "user-agent": "Podio Webhook" },
      body: new URLSearchParams(fields).toString(),
    }));

  function create(appId: number, body: unknown): SandboxResponse {
    const given = HookBody.safeParse(body);
    if (!given.success) return invalid("A hook needs a 'url' and a known 'type'");
    const hookId = state.nextId;
    state.nextId += 1;
    state.hooks.push({ hookId, appId, ...given.data, status: "inactive", code: null });
    save();
    return json(200, { hook_id: hookId });
  }

  function verify(hookId: number, verb: string, body: unknown): SandboxResponse {
    const hook = state.hooks.find((one) => one.hookId === hookId);
    if (hook === undefined) return notFound();
    if (verb === "request") {
      hook.code = randomBytes(4).toString("hex");
      post(hook.url, { type: "hook.verify", hook_id: String(hookId), code: hook.code });
    } else {
      if (hook.code === null || CodeBody.safeParse(body).data?.code !== hook.code)
        return apiError(400, "invalid_value", "The code is not the hook’s");
      Object.assign(hook, { code: null, status: "active" });
    }
    save();
    return { status: 204, headers: {}, body: "" };
  }

  return {
    answer({ method, path, body }: { method: string; path: string; body: unknown }): SandboxResponse | null {
      const appId = Number(/^\/hook\/app\/(\d+)\/$/.exec(path)?.[1] ?? Number.NaN);
      if (!Number.isNaN(appId)) {
        if (!apps.some((app) => app.appId === appId)) return notFound();
        if (method === "POST") return create(appId, body);
        const ofApp = state.hooks.filter((hook) => hook.appId === appId);
        return method === "GET" ? json(200, ofApp.map(show)) : null;
      }
      const [, id = "", verb] = /^\/hook\/(\d+)(?:\/verify\/(request|validate))?$/.exec(path) ?? [];
      if (id === "") return null;
      if (method === "POST" && verb !== undefined) return verify(Number(id), verb, body);
      if (method !== "DELETE" || verb !== undefined) return null;
      state.hooks = state.hooks.filter(({ hookId }) => hookId !== Number(id));
      save();
      return { status: 204, headers: {}, body: "" };
    },
    report(type: ItemEvent, item: Item): void {
      for (const hook of state.hooks)
        if (hook.status === "active" && hook.type === type && hook.appId === item.appId)
          post(hook.url, {
            type,
            hook_id: String(hook.hookId),
            item_id: String(item.itemId),
            item_revision_id: type === "item.delete" ? "" : String(item.revision),
            external_id: "",
          });
    },
  };
}

const show = ({ hookId, url, type, status }: { hookId: number; url: string; type: string; status: string }) => ({
  hook_id: hookId,
  url,
  type,
  status,
  created_on: "2026-01-01 00:00:00",
});
