import {
  deleteLeadView,
  type LeadView,
  type LeadViewInput,
  listLeadViews,
  saveLeadView,
} from "@leadline/contract/lead-views";
import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { request } from "./api-client.ts";
import { queryClient } from "./query-client.ts";

export const leadViewsQuery = queryOptions({
  queryKey: ["lead-views"],
  queryFn: ({ signal }) => request(listLeadViews, {}, { signal }),
});

const readAgain = () => queryClient.invalidateQueries({ queryKey: leadViewsQuery.queryKey });

export async function saveView(body: z.input<typeof LeadViewInput>): Promise<void> {
  await request(saveLeadView, { body });
  await readAgain();
}

export async function removeView({ id }: LeadView): Promise<void> {
  await request(deleteLeadView, { params: { id } });
  await readAgain();
}
