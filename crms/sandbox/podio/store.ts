import { openSandboxStore, type SandboxStore } from "@leadline/adapter-kit/sandbox-store";
import { z } from "zod";
import { makeItems } from "./make-items.ts";

/** One field's values as the API returns them, by the field's number. */
const Values = z.record(z.string(), z.array(z.record(z.string(), z.unknown())));
const Item = z.object({
  itemId: z.int(),
  appId: z.int(),
  /** The client's own id for it. */
  externalId: z.string().nullable().default(null),
  values: Values,
  revision: z.int(),
  /** Milliseconds since 1970, in whole seconds. */
  createdMs: z.int(),
  editedMs: z.int(),
});
export type Item = z.infer<typeof Item>;

const Comment = z.object({
  commentId: z.int(),
  itemId: z.int(),
  value: z.string(),
  externalId: z.string().nullable(),
  createdMs: z.int(),
  editedMs: z.int().nullable(),
});
export type Comment = z.infer<typeof Comment>;

const Hook = z.object({
  hookId: z.int(),
  appId: z.int(),
  url: z.string(),
  type: z.string(),
  status: z.enum(["inactive", "active"]),
  /** The code sent to the hook's URL, which must be returned; null if none is expected. */
  code: z.string().nullable(),
});

/** One person's grant to an API key. Tokens are stored as SHA-256. */
const Grant = z.object({
  /** Who granted it; earlier versions had one person. */
  userId: z.int().default(5_770_001),
  refreshHash: z.string(),
  refreshUntilMs: z.number(),
  /** Former refresh tokens. Using one again means that it was stolen. */
  replaced: z.array(z.string()),
  /** The granted scopes; earlier versions granted everything. */
  scope: z.string().default("global:all"),
  access: z.array(z.object({ hash: z.string(), expiresMs: z.number() })),
});
export type StoredGrant = z.infer<typeof Grant>;

const State = z.object({
  items: z.array(Item),
  /** In the order of creation. */
  comments: z.array(Comment).default([]),
  hooks: z.array(Hook).default([]),
  grants: z.array(Grant),
  nextId: z.int(),
});
export type State = z.infer<typeof State>;

export type Store = SandboxStore<State>;

export const openStore = (file: string | null): Store =>
  openSandboxStore(file, {
    begin: () => ({ items: makeItems(Date.now()), comments: [], hooks: [], grants: [], nextId: 2_900_000_000 }),
    read: (kept) => State.parse(kept),
  });
