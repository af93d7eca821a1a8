import { randomInt } from "node:crypto";
import { z } from "zod";
import { json, type SandboxResponse } from "../exchange.ts";
import { invalid, notFound } from "./errors.ts";
import { byline, timeOf, wholeSecond } from "./show.ts";
import type { Comment, Store } from "./store.ts";

const CommentBody = z.object({
  value: z.string().min(1),
  external_id: z.union([z.string(), z.int()]).nullish(),
});
const Paging = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(100),
  offset: z.coerce.number().int().min(0).default(0),
});

/** Comments on items: add, list, read, update and delete. */
export function createComments(store: Store) {
  const { state } = store;

  function add(itemId: number, body: unknown): SandboxResponse {
    const given = CommentBody.safeParse(body);
    if (!given.success) return invalid("A comment needs a 'value'");
    const comment: Comment = {
      // Unguessable: the comment's page is public to anyone with its ID.
      commentId: randomInt(2 ** 48 - 1),
      itemId,
      value: given.data.value,
      externalId: toText(given.data.external_id),
      createdMs: wholeSecond(Date.now()),
      editedMs: null,
    };
    state.comments.push(comment);
    store.save();
    return json(200, { ...show(comment), granted_users: [] });
  }

  function update(comment: Comment, body: unknown): SandboxResponse {
    const given = CommentBody.safeParse(body);
    if (!given.success) return invalid("A comment needs a 'value'");
    Object.assign(comment, {
      value: given.data.value,
      externalId: given.data.external_id === undefined ? comment.externalId : toText(given.data.external_id),
      editedMs: wholeSecond(Date.now()),
    });
    store.save();
    return { status: 204, headers: {}, body: "" };
  }

  function remove(comment: Comment): SandboxResponse {
    state.comments.splice(state.comments.indexOf(comment), 1);
    store.save();
    return { status: 204, headers: {}, body: "" };
  }

  function list(itemId: number, query: URLSearchParams): SandboxResponse {
    const paging = Paging.safeParse(Object.fromEntries(query));
    if (!paging.success) return invalid("'limit' or 'offset' is out of range");
    const { limit, offset } = paging.data;
    const all = state.comments.filter((one) => one.itemId === itemId);
    return json(200, all.slice(offset, offset + limit).map(show));
  }

  return (request: { method: string; path: string; query: URLSearchParams; body: unknown }): SandboxResponse | null => {
    const { method, path, query, body } = request;
    const itemId = Number(/^\/comment\/item\/(\d+)\/?$/.exec(path)?.[1] ?? Number.NaN);
    if (!Number.isNaN(itemId)) {
      if (!state.items.some((one) => one.itemId === itemId)) return notFound();
      if (method === "GET") return list(itemId, query);
      return method === "POST" ? add(itemId, body) : null;
    }
    const commentId = Number(/^\/comment\/(\d+)$/.exec(path)?.[1] ?? Number.NaN);
    if (Number.isNaN(commentId)) return null;
    const comment = state.comments.find((one) => one.commentId === commentId);
    if (comment === undefined) return notFound();
    if (method === "GET") return json(200, show(comment));
    if (method === "PUT") return update(comment, body);
    return method === "DELETE" ? remove(comment) : null;
  };
}

/** Podio returns external IDs as text. */
const toText = (externalId: string | number | null | undefined): string | null =>
  externalId === null || externalId === undefined ? null : String(externalId);

const show = ({ commentId, itemId, value, externalId, createdMs, editedMs }: Comment) => ({
  comment_id: commentId,
  value,
  rich_value: value,
  external_id: externalId,
  ref: { type: "item", id: itemId },
  created_on: timeOf(createdMs),
  last_edit_on: editedMs === null ? null : timeOf(editedMs),
  ...byline,
  files: [],
  embed: null,
  embed_file: null,
  like_count: 0,
  is_liked: false,
});
