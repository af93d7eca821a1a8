import * as endpoints from "@leadline/contract/call-outcomes";
import { useMutation } from "@tanstack/react-query";
import { toast } from "sonner";
import type { RefusalHandlers } from "../../components/use-refusal.ts";
import { request } from "../../data/api-client.ts";
import { callOutcomesQuery } from "../../data/call-outcomes-query.ts";
import { callsKey } from "../../data/calls-query.ts";
import { queryClient } from "../../data/query-client.ts";

const { queryKey } = callOutcomesQuery;

async function readAgain(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey });
  // Calls show their outcome's name.
  void queryClient.invalidateQueries({ queryKey: callsKey });
}

export const useAddOutcome = () =>
  useMutation({
    mutationFn: (name: string) => request(endpoints.createCallOutcome, { body: { name } }),
    onSuccess: readAgain,
  });

interface OutcomeChange {
  id: string;
  name?: string;
  archived?: boolean;
  doNotCall?: boolean;
  callBack?: boolean;
}

/** `refusalHandlers` shows a refusal at the outcome or list that it concerns. */
export const useUpdateOutcome = (refusalHandlers?: RefusalHandlers) =>
  useMutation({
    mutationFn: ({ id, ...change }: OutcomeChange) =>
      request(endpoints.updateCallOutcome, { params: { id }, body: change }),
    onSuccess: readAgain,
    ...refusalHandlers,
  });

export const useRemoveOutcome = (refusalHandlers: RefusalHandlers) =>
  useMutation({
    mutationFn: ({ id }: { id: string; name: string }) => request(endpoints.removeCallOutcome, { params: { id } }),
    onSuccess: async ({ archived }, { name }) => {
      await readAgain();
      toast.success(archived ? `“${name}” archived, because calls use it.` : `“${name}” removed.`);
    },
    ...refusalHandlers,
  });

/** Shows the new order at once, and the old one again if the server refuses. */
export const useOrderOutcomes = (refusalHandlers: RefusalHandlers) =>
  useMutation({
    mutationFn: (ids: string[]) => request(endpoints.orderCallOutcomes, { body: { ids } }),
    onMutate: async (ids) => {
      refusalHandlers.onMutate();
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueryData(queryKey);
      queryClient.setQueryData(queryKey, (outcomes) => outcomes?.toSorted((a, b) => placeIn(ids, a) - placeIn(ids, b)));
      return before;
    },
    onError: (error, _ids, before) => {
      queryClient.setQueryData(queryKey, before);
      refusalHandlers.onError(error);
    },
    onSettled: readAgain,
  });

function placeIn(ids: readonly string[], { id }: { id: string }): number {
  const place = ids.indexOf(id);
  return place < 0 ? ids.length : place;
}
