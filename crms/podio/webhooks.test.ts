import { CrmError } from "@leadline/adapter-kit/crm";
import { describe, expect, it } from "vitest";
import { createApi } from "./api.ts";
import { createWebhooks } from "./webhooks.ts";

const unused = { send: () => Promise.reject(new Error("nothing is sent")), close: () => {} };
const webhooks = createWebhooks(createApi(unused, null));
const read = (body: string | Buffer) =>
  webhooks.read({ method: "POST", url: new URL("https://leadline.example/"), headers: {}, body: Buffer.from(body) });

describe("hooks", () => {
  it("contain the item, and a revision that distinguishes reports", () => {
    const update = "type=item.update&hook_id=7&item_id=42&item_revision_id=3&external_id=";
    expect(read(update)).toEqual({
      changes: [{ eventId: "7:item.update:42:3", leadExternalId: "42" }],
      confirmation: null,
    });
    expect(read("type=item.delete&hook_id=7&item_id=42&item_revision_id=")).toMatchObject({
      changes: [{ leadExternalId: "42" }],
    });
  });

  const hostile: [why: string, body: string | Buffer][] = [
    ["nothing", ""],
    ["JSON", '{"type":"item.update","hook_id":7,"item_id":42}'],
    ["an unknown type", "type=app.delete&hook_id=7&item_id=42"],
    ["no item", "type=item.update&hook_id=7"],
    ["a path as its item", "type=item.update&hook_id=7&item_id=../app/1"],
    ["a path as its hook", "type=hook.verify&hook_id=7/../8&code=a"],
    ["no code", "type=hook.verify&hook_id=7"],
    ["a code that is a path", "type=hook.verify&hook_id=7&code=../../item/1"],
    ["a negative item", "type=item.update&hook_id=7&item_id=-1"],
    ["bytes that are no text", Buffer.from([0xff, 0xfe, 0x00])],
  ];
  it.each(hostile)("are refused with %s", (_, body) => {
    expect(() => read(body)).toThrow(CrmError);
  });
});
