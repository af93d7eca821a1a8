import { CrmError } from "@leadline/adapter-kit/crm";
import type { CrmWebhooks } from "@leadline/adapter-kit/crm-webhooks";
import { z } from "zod";
import type { Api } from "./api.ts";
import { appIdOf } from "./sources.ts";

const types = ["item.create", "item.update", "item.delete"] as const;

const Id = z.string().regex(/^\d{1,20}$/);
/** Form fields (Hooks). */
const Report = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hook.verify"), hook_id: Id, code: z.string().regex(/^\w{1,200}$/) }),
  z.object({ type: z.enum(types), hook_id: Id, item_id: Id, item_revision_id: Id.or(z.literal("")).default("") }),
]);
const Confirmation = z.object({ hookId: Id, code: z.string() });
const Hooks = z.array(
  z.object({ hook_id: z.int().positive(), type: z.string(), url: z.string(), status: z.string().default("active") }),
);
const Created = z.object({ hook_id: z.int().positive() });

/** Hooks of one app. Podio doesn't sign, and starts reporting once the address has returned a code (Hooks, "Verification"). */
export function createWebhooks(api: Api): CrmWebhooks {
  return {
    addressedBy: "key",
    read({ body }) {
      const fields = Object.fromEntries(new URLSearchParams(body.toString("utf8")));
      const read = Report.safeParse(fields);
      if (!read.success)
        throw new CrmError("refused", "Podio reported changes in a way that Leadline does not understand.");
      const report = read.data;
      if (report.type === "hook.verify") {
        const confirmation = JSON.stringify({ hookId: report.hook_id, code: report.code });
        return { changes: [], confirmation };
      }
      const { type, hook_id, item_id: leadExternalId, item_revision_id } = report;
      const eventId = [hook_id, type, leadExternalId, item_revision_id].join(":");
      return { changes: [{ eventId, leadExternalId }], confirmation: null };
    },
    async subscribe(grant, { source }, url) {
      const path = `/hook/app/${appIdOf(source)}/`;
      const { body: hooks } = await api.ask(Hooks, { grant, path });
      for (const type of types) {
        const known = hooks.find((hook) => hook.type === type && hook.url === url.href);
        if (known?.status === "active") continue;
        const id =
          known?.hook_id ?? (await api.ask(Created, { grant, path, body: { url: url.href, type } })).body.hook_id;
        await api.post({ grant, path: `/hook/${id}/verify/request`, body: {} });
      }
    },
    async unsubscribe(grant, source, url) {
      const path = `/hook/app/${appIdOf(source)}/`;
      const { body: hooks } = await api.ask(Hooks, { grant, path });
      for (const hook of hooks) if (hook.url === url.href) await api.delete({ grant, path: `/hook/${hook.hook_id}` });
    },
    async confirm(grant, confirmation) {
      const { hookId, code } = Confirmation.parse(JSON.parse(confirmation));
      await api.post({ grant, path: `/hook/${hookId}/verify/validate`, body: { code } });
    },
  };
}
