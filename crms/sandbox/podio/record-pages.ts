import { page, type SandboxResponse } from "../exchange.ts";
import { missingPage, recordPage } from "../record-page.ts";
import { apps } from "./apps.ts";
import { pathOfItem, titleOf } from "./items.ts";
import { timeOf } from "./show.ts";
import type { State } from "./store.ts";

/** The page of an item, and of a comment on one. */
export function createRecordPages(state: State) {
  function showComment(id: number): SandboxResponse {
    const comment = state.comments.find(({ commentId }) => commentId === id);
    const item = state.items.find(({ itemId }) => itemId === comment?.itemId);
    const of = apps.find(({ appId }) => appId === item?.appId);
    if (comment === undefined || item === undefined || of === undefined) return page(404, missingPage());
    const fields = [
      ["Comment", comment.value],
      ["Made", `${timeOf(comment.createdMs)} UTC`],
    ] as const;
    return page(200, recordPage({ title: titleOf(of, item), of: of.name, fields }));
  }

  function showItem(path: string): SandboxResponse {
    const item = state.items.find((one) => pathOfItem(one) === path);
    const of = apps.find(({ appId }) => appId === item?.appId);
    if (item === undefined || of === undefined) return page(404, missingPage());
    const fields = of.fields.flatMap(({ fieldId, label }) =>
      (item.values[String(fieldId)] ?? []).map(({ value }) => [label, wordsOf(value)] as const),
    );
    return page(200, recordPage({ title: titleOf(of, item), of: of.itemName, fields }));
  }

  return { showComment, showItem };
}

/** A choice is shown as its text. */
const wordsOf = (value: unknown): string =>
  typeof value === "object" && value !== null && "text" in value ? String(value.text) : String(value ?? "");
