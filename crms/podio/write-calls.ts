import {
  type CrmCall,
  type CrmCalls,
  CrmError,
  type CrmGrant,
  type CrmSandbox,
  type WrittenCrmCall,
} from "@leadline/adapter-kit/crm";
import { callText, callTitle } from "@leadline/adapter-kit/describe-call";
import { z } from "zod";
import { type Api, Forbidden, ItemGone } from "./api.ts";
import { Link } from "./mapping.ts";
import { shownAt } from "./workspace.ts";

const Id = z.string().regex(/^\d{1,20}$/);
const Created = z.object({ comment_id: z.int().positive() });
const Comments = z.array(z.object({ comment_id: z.int().positive(), external_id: z.string().nullish() }));
const pageSize = 100;

const ItemLink = z.object({ link: Link });

/** Writes calls as comments on the item (Comments API), with our callSid as the external_id. Podio lists an item's comments but cannot search them. */
export function createCallWriter(api: Api, sandbox: CrmSandbox | null): CrmCalls {
  /** Podio has no URL for a single comment, so the link opens the item. The parameter is for the sandbox. */
  async function linkTo(grant: CrmGrant, itemId: string): Promise<(commentId: number) => WrittenCrmCall> {
    const path = `/item/${Id.parse(itemId)}?mark_as_viewed=false`;
    const { link } = (await api.ask(ItemLink, { grant, path })).body;
    const shown = shownAt(grant, sandbox, link);
    return (commentId) => ({ externalId: String(commentId), url: `${shown}?comment=${commentId}` });
  }

  /** Rewrites refusals to mention the item. */
  async function onItem<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ItemGone) throw new CrmError("refused", "The item is gone from Podio.", { cause: error });
      if (error instanceof Forbidden)
        throw new CrmError(
          "refused",
          "Podio doesn’t let Leadline comment on this item. Reconnect Podio with an account that can.",
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
        // Fetched first: a failure after creating the comment would leave it unrecorded.
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
          if (error instanceof ItemGone) return false;
          throw error;
        }
      }),
  };
}

function textOf(call: CrmCall): string {
  const { startedAt, wasAnswered, seconds } = call;
  const length = wasAnswered ? `${Math.floor(seconds / 60)} min ${seconds % 60} s` : "not answered";
  const at = `${startedAt.slice(0, 10)} ${startedAt.slice(11, 16)} UTC`;
  const text = [`${callTitle(call)}, ${at}, ${length}`, callText(call)].filter(Boolean).join("\n\n");
  // "@[" starts a mention, which would notify people (Alerts).
  return text.replaceAll("@[", "@ [");
}
