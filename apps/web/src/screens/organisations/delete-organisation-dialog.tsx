import { exportStatementEntries } from "@leadline/contract/billing";
import { deleteOrganisation, type Organisation } from "@leadline/contract/organisations";
import { exportReceipts } from "@leadline/contract/receipts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useId, useState } from "react";
import { toast } from "sonner";
import { pageOrganisation } from "../../data/page-organisation.ts";
import { request, requestFile } from "../../data/api-client.ts";
import { meQuery } from "../../data/me-query.ts";
import { organisationsQuery } from "../../data/organisations-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { saveFile } from "../../data/save-file.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";
import { InTheWayDialog } from "./in-the-way-dialog.tsx";
import { useInTheWay } from "./use-in-the-way.ts";

interface DeleteOrganisationDialogProps {
  organisation: Organisation;
  onClose: () => void;
}

function DownloadFile({ label, name, load }: { label: string; name: string; load: () => Promise<Blob> }) {
  const exporting = useMutation({ mutationFn: load, onSuccess: (content) => saveFile(content, name) });
  return (
    <div className="flex flex-col gap-2">
      <Button tone="plain" className="self-start" busy={exporting.isPending} onClick={() => exporting.mutate()}>
        <Download aria-hidden="true" /> {label}
      </Button>
      {exporting.isError ? <Notice>{problemDetail(exporting.error)}</Notice> : null}
    </div>
  );
}

const loadStatement = () => requestFile(exportStatementEntries, { query: {} });
const loadReceipts = () => requestFile(exportReceipts, {});

/** Deletion is permanent, so the name must be typed first. A refusal stays in the dialog with its reason. */
export function DeleteOrganisationDialog({ organisation, onClose }: DeleteOrganisationDialogProps) {
  const { id, name } = organisation;
  const form = useId();
  const [typed, setTyped] = useState("");
  const isActive = useQuery(meQuery).data?.activeOrganisation?.id === id;
  const inTheWay = useInTheWay(organisation, isActive);
  const deleting = useMutation({
    mutationFn: () => request(deleteOrganisation, { params: { id } }),
    async onSuccess() {
      onClose();
      toast.success(`${name} deleted.`);
      if (isActive) pageOrganisation.set(null);
      await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: organisationsQuery.queryKey });
    },
  });
  const isNamed = typed.trim() === name;
  if (inTheWay === null) return null;
  if (inTheWay.length > 0) return <InTheWayDialog name={name} inTheWay={inTheWay} onClose={onClose} />;
  return (
    <Dialog
      open
      onOpenChange={() => deleting.isPending || onClose()}
      title={`Delete ${name}?`}
      description={`This permanently deletes its leads, notes, files, calls, outcomes, limits, statements, do-not-call list and CRM connections for everyone. Its members lose access immediately${isActive ? ", and you switch to another of your organisations, if you have one" : ""}.`}
      footer={
        <>
          <Button tone="quiet" disabled={deleting.isPending} onClick={onClose}>
            Keep it
          </Button>
          <Button tone="danger" type="submit" form={form} disabled={!isNamed} busy={deleting.isPending}>
            Delete organisation
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isNamed) deleting.mutate();
        }}
      >
        <p className="text-sm text-ink-soft">
          Your members’ accounts, their other organisations and the data in your CRM are kept. Export leads first if you
          might need them.
        </p>
        <p className="text-sm text-ink-soft">
          Statements and receipts are deleted too, and Leadline keeps no copy. The law may require you to keep them for
          years: download them first{isActive ? "" : ", after switching to this organisation"}.
        </p>
        {isActive ? (
          <>
            <DownloadFile label="Download the statement" name="statement.csv" load={loadStatement} />
            <DownloadFile label="Download the receipts" name="receipts.zip" load={loadReceipts} />
          </>
        ) : null}
        <p className="text-sm text-ink-soft">
          {isActive
            ? "You can’t delete it while someone is on a call there."
            : "You can’t delete it while it has other owners, a phone number, or someone on a call."}
        </p>
        {deleting.isError ? <Notice>{problemDetail(deleting.error)}</Notice> : null}
        <Field label={`Type “${name}” to confirm`}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
