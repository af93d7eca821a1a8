import { addToDoNotCall, removeFromDoNotCall } from "@leadline/contract/do-not-call";
import { useMutation } from "@tanstack/react-query";
import { toast } from "sonner";
import { request } from "../data/api-client.ts";
import { doNotCallKey } from "../data/do-not-call-query.ts";
import { leadsKey } from "../data/leads-query.ts";
import { problemDetail } from "../data/problem-error.ts";
import { queryClient } from "../data/query-client.ts";
import { formatPhoneNumber } from "./format-phone-number.ts";
import { useNoticeAfterLeaving } from "./use-notice-after-leaving.ts";

const readAgain = () =>
  Promise.all([doNotCallKey, leadsKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })));

/**
 * Adds a number to the organisation's do-not-call list and removes it; both can be undone from a toast. The caller
 * shows an error where the user acted; after they have left, a toast does.
 */
export function useDoNotCall() {
  const onError = useNoticeAfterLeaving();
  const removing = useMutation({
    onMutate: (): void => adding.reset(),
    mutationFn: (phoneNumber: string) => request(removeFromDoNotCall, { params: { phoneNumber } }),
    onError,
    onSuccess: async (_, phoneNumber) => {
      await readAgain();
      toast.success(`${formatPhoneNumber(phoneNumber)} removed from the do-not-call list.`, {
        action: { label: "Undo", onClick: () => adding.mutate(phoneNumber) },
      });
    },
  });
  const adding = useMutation({
    onMutate: (): void => removing.reset(),
    mutationFn: (phoneNumber: string) => request(addToDoNotCall, { body: { phoneNumber } }),
    onError,
    onSuccess: async ({ phoneNumber, alreadyListed }) => {
      await readAgain();
      // Nothing was done, so there is nothing to undo: Undo would remove someone’s earlier entry.
      if (alreadyListed) return toast(`${formatPhoneNumber(phoneNumber)} is already on the do-not-call list.`);
      return toast.success(`${formatPhoneNumber(phoneNumber)} added to the do-not-call list.`, {
        action: { label: "Undo", onClick: () => removing.mutate(phoneNumber) },
      });
    },
  });
  const refused = adding.error ?? removing.error;
  return { adding, removing, refusal: refused && problemDetail(refused) };
}
