import { type CarrierConnection, checkCarrier, removeCarrier } from "@leadline/contract/carriers";
import { useQuery } from "@tanstack/react-query";
import { toast } from "sonner";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { request } from "../../data/api-client.ts";
import { carrierAccountsQuery } from "../../data/carrier-accounts-query.ts";
import { carriersQuery } from "../../data/carriers-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { CheckResults, CheckUnderWay } from "./check-results.tsx";

interface CarrierDialogProps {
  carrier: CarrierConnection;
  onClose: () => void;
}

/** Runs the test as soon as it opens, with the stored secrets. */
export function CheckDialog({ carrier, onClose }: CarrierDialogProps) {
  const { id, kind, settings, label } = carrier;
  const check = useQuery({
    queryKey: ["carrier-check", id],
    queryFn: ({ signal }) => request(checkCarrier, { body: { id, kind, settings } }, { signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Test ${label}`}
      footer={
        <>
          <Button tone="quiet" onClick={onClose}>
            Close
          </Button>
          <Button tone="plain" busy={check.isFetching} onClick={() => void check.refetch()}>
            Test again
          </Button>
        </>
      }
    >
      {check.isFetching ? (
        <CheckUnderWay />
      ) : check.isError ? (
        <Notice>{problemDetail(check.error)}</Notice>
      ) : check.data ? (
        <CheckResults checks={check.data} />
      ) : null}
    </Dialog>
  );
}

export function RemoveCarrierDialog({ carrier, onClose }: CarrierDialogProps) {
  const { id, label, inUse } = carrier;
  return (
    <ConfirmDialog
      title={`Remove ${label}?`}
      action="Remove"
      cancel="Keep it"
      run={async () => {
        await request(removeCarrier, { params: { id } });
        // Refetches the account too, which shows that its carrier is gone.
        await Promise.all(
          [carriersQuery, carrierAccountsQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
        );
      }}
      onDone={() => toast.success(`${label} removed.`)}
      onClose={onClose}
    >
      {inUse
        ? "This deletes its settings and password. New calls go to the next carrier in use, or to the sandbox if there is none. Live calls continue."
        : "This deletes its settings and password. It isn’t in use, so your calls aren’t affected."}
    </ConfirmDialog>
  );
}
