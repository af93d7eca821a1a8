import { addToDoNotCall, removeFromDoNotCall } from "@leadline/contract/do-not-call";
import { useMutation } from "@tanstack/react-query";
import { toast } from "sonner";
import { request } from "../data/api-client.ts";
import { doNotCallKey } from "../data/do-not-call-query.ts";
import { problemDetail } from "../data/problem-error.ts";
import { queryClient } from "../data/query-client.ts";
import { formatPhoneNumber } from "./format-phone-number.ts";

const readAgain = () => queryClient.invalidateQueries({ queryKey: doNotCallKey });

interface DoNotCallOptions {
  /** False where the caller shows beside its form why a number was not taken. */
  failsInToast?: boolean;
}

/** Puts a number on the organisation's do-not-call list and takes it off; either can be undone from its toast. */
export function useDoNotCall({ failsInToast = true }: DoNotCallOptions = {}) {
  const removing = useMutation({
    mutationFn: (phoneNumber: string) => request(removeFromDoNotCall, { params: { phoneNumber } }),
    onSuccess: async (_, phoneNumber) => {
      await readAgain();
      toast.success(`${formatPhoneNumber(phoneNumber)} can be called again.`, {
        action: { label: "Undo", onClick: () => adding.mutate(phoneNumber) },
      });
    },
    onError: (error) => toast.error(problemDetail(error)),
  });
  const adding = useMutation({
    mutationFn: (phoneNumber: string) => request(addToDoNotCall, { body: { phoneNumber } }),
    onSuccess: async ({ phoneNumber }) => {
      await readAgain();
      toast.success(`Nobody here can call ${formatPhoneNumber(phoneNumber)} now.`, {
        action: { label: "Undo", onClick: () => removing.mutate(phoneNumber) },
      });
    },
    onError: (error) => failsInToast && toast.error(problemDetail(error)),
  });
  return { adding, removing };
}
