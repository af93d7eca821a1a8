import {
  type CrmCall,
  type CrmCalls,
  CrmError,
  type CrmGrant,
  type CrmSandbox,
  type WrittenCrmCall,
} from "@leadline/adapter-kit/crm";
import { z } from "zod";
import { type Api, Forbidden, Gone } from "./api.ts";
import { apiHost } from "./workspace.ts";

const Id = z.string().regex(/^\d{1,20}$/);
const Created = z.object({ comment_id: z.int().positive() });
const Comments = z.array(z.object({ comment_id: z.int().positive(), external_id: z.string().nullish() }));
const pageSize = 100;

/** Podio's people have no other addresses, so a link that it tells leads nowhere else. */
const ItemLink = z.object({
  link: z.url({ protocol: /^https$/, hostname: /^(?:[a-z0-9-]+\.)?podio\.com$/ }).transform((link) => new URL(link)),
});

/** A call is a comment on the item (Comments API). Its external_id is our callSid: the comments of an item can be listed, not searched. */
export function createCallWriter(api: Api, sandbox: CrmSandbox | null): CrmCalls {
  /** Podio shows comments on the item's page, and has no address for one. The sandbox shows each by its number. */
  async function linkTo(grant: CrmGrant, itemId: string): Promise<(commentId: number) => WrittenCrmCall> {
    const path = `/item/${Id.parse(itemId)}?mark_as_viewed=false`;
    const { link } = (await api.ask(ItemLink, { grant, path })).body;
    const isSandbox = apiHost(grant, sandbox?.domain ?? null) === sandbox?.domain;
    const shown = isSandbox ? `${sandbox?.browserPath}${link.pathname}` : link.href;
    return (commentId) => ({ externalId: String(commentId), url: `${shown}?comment=${commentId}` });
  }

  /** Throws in words about the item. */
  async function onItem<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Gone) throw new CrmError("refused", "The item is gone from Podio.", { cause: error });
      if (error instanceof Forbidden)
        throw new CrmError(
          "refused",
          "Podio does not let Leadline comment on this item. Connect Podio anew, as somebody who may.",
          { cause: error },
        );
      throw error;
    }
  }

  async function findComment(grant: CrmGrant, { callSid, leadExternalId }: CrmCall): Promise<number | null> {
    const seen = new Set<number>();
    for (let isWhole = false; !isWhole;) {
      const query = new URLSearchParams({ limit: String(pageSize), offset: String(seen.size) });
      const path = `/comment/item/${Id.parse(leadExternalId)}/?${query}`;
      const { body } = await api.ask(Comments, { grant, path });
      const found = body.find(({ external_id: marker }) => marker === callSid);
      if (found) return found.comment_id;
      const former = seen.size;
      for (const { comment_id: id } of body) seen.add(id);
      isWhole = body.length < pageSize || seen.size === former;
    }
    return null;
  }

  return {
    find: (grant, call) =>
      onItem(async () => {
        const found = await findComment(grant, call);
        return found === null ? null : (await linkTo(grant, call.leadExternalId))(found);
      }),
    create: (grant, call) =>
      onItem(async () => {
        // Before the comment: afterwards, a failure would leave one behind.
        const writtenAs = await linkTo(grant, call.leadExternalId);
        const body = { value: textOf(call), external_id: call.callSid };
        const path = `/comment/item/${Id.parse(call.leadExternalId)}/?silent=true`;
        return writtenAs((await api.ask(Created, { grant, path, body })).body.comment_id);
      }),
    update: (grant, externalId, call) =>
      onItem(async () => {
        const body = { value: textOf(call), external_id: call.callSid };
        try {
          await api.put({ grant, path: `/comment/${Id.parse(externalId)}`, body });
          return true;
        } catch (error) {
          if (error instanceof Gone) return false;
          throw error;
        }
      }),
  };
}

/** A comment has no fields of its own. */
function textOf({
  direction,
  phoneNumber,
  startedAt,
  wasAnswered,
  seconds,
  outcome,
  note,
  rep,
  link,
}: CrmCall): string {
  const way = direction === "outbound" ? "Call to" : "Call from";
  const length = wasAnswered ? `${Math.floor(seconds / 60)} min ${seconds % 60} s` : "not answered";
  const at = `${startedAt.slice(0, 10)} ${startedAt.slice(11, 16)} UTC`;
  const lines = [
    `${way} ${phoneNumber}, ${at}, ${length}`,
    note,
    outcome && `Outcome: ${outcome}`,
    rep && `By ${rep}`,
    link,
  ];
  // What begins so calls people or whole workspaces (Alerts).
  return lines.filter(Boolean).join("\n\n").replaceAll("@[", "@ [");
}
