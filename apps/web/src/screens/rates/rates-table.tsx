import { type Rate, removeRate } from "@leadline/contract/rates";
import { useMutation } from "@tanstack/react-query";
import { clsx } from "clsx";
import { PencilLine, Trash2 } from "lucide-react";
import { Fragment } from "react";
import { toast } from "sonner";
import { incrementLabel, rateLabel } from "../../components/rate-label.ts";
import { usePasswordConfirmation } from "../../components/use-password-confirmation.tsx";
import { request } from "../../data/api-client.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { ratesKey } from "../../data/rates-query.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { RowNote } from "../../ui/row-note.tsx";
import { ColumnHeads, type TableColumns, TableSkeleton } from "../../ui/table-columns.tsx";
import { Table, TableBody, TableCell, TableRow } from "../../ui/table.tsx";

const columns: TableColumns = {
  columns: [
    { head: "Prefix", width: "w-24" },
    { head: "Destination", width: ["w-40", "w-28", "w-32"], className: "max-md:hidden" },
    { head: "Price", width: "w-28" },
    { head: "Increment", width: "w-16", className: "max-md:hidden" },
    { head: "Effective from", width: "w-24", className: "max-md:hidden" },
  ],
  actions: { width: "w-20" },
};

interface RatesTableProps {
  rates: readonly Rate[];
  stale: boolean;
  onEdit: (rate: Rate) => void;
}

export function RatesTable({ rates, stale, onEdit }: RatesTableProps) {
  const { confirmed, dialog } = usePasswordConfirmation();
  const removing = useMutation({
    mutationFn: (rate: Rate) =>
      confirmed((currentPassword) => request(removeRate, { params: { id: rate.id }, body: { currentPassword } })),
    async onSuccess(_, rate) {
      await queryClient.invalidateQueries({ queryKey: ratesKey });
      toast.success(`Rate for ${nameOf(rate)} removed.`);
    },
  });
  return (
    <>
      <Table label="Rates" aria-busy={stale} className={clsx("transition-opacity", stale && "opacity-60")}>
        <ColumnHeads {...columns} />
        <TableBody>
          {rates.map((rate) => {
            const isRefused = removing.isError && removing.variables.id === rate.id;
            return (
              <Fragment key={rate.id}>
                <TableRow className={isRefused ? "border-b-0" : undefined}>
                  <TableCell className="font-medium tabular-nums max-md:w-full">
                    {rate.prefix === "" ? "All numbers" : `+${rate.prefix}`}
                    <span className="block text-xs font-normal text-ink-soft md:hidden">
                      {[rate.description, incrementLabel(rate), `from ${rate.effectiveFrom}`]
                        .filter(Boolean)
                        .join(" · ")}
                    </span>
                  </TableCell>
                  <TableCell className="max-md:hidden">
                    {rate.description || <span className="text-ink-soft">No name</span>}
                    {rate.fromCarrier ? <span className="text-ink-soft"> · from the carrier</span> : null}
                  </TableCell>
                  <TableCell className="whitespace-nowrap tabular-nums">{rateLabel(rate)}</TableCell>
                  <TableCell className="tabular-nums max-md:hidden">{incrementLabel(rate)}</TableCell>
                  <TableCell className="whitespace-nowrap tabular-nums max-md:hidden">{rate.effectiveFrom}</TableCell>
                  <TableCell align="right">
                    <div className="flex justify-end gap-1">
                      <IconButton
                        label={`Change the rate for ${nameOf(rate)}`}
                        size="small"
                        onClick={() => onEdit(rate)}
                      >
                        <PencilLine />
                      </IconButton>
                      <IconButton
                        label={`Remove the rate for ${nameOf(rate)}`}
                        size="small"
                        disabled={removing.isPending}
                        onClick={() => removing.mutate(rate)}
                      >
                        <Trash2 />
                      </IconButton>
                    </div>
                  </TableCell>
                </TableRow>
                {isRefused ? <RowNote columns={6}>{problemDetail(removing.error)}</RowNote> : null}
              </Fragment>
            );
          })}
        </TableBody>
      </Table>
      {dialog}
    </>
  );
}

const nameOf = ({ prefix, effectiveFrom }: Rate): string =>
  `${prefix === "" ? "all numbers" : `+${prefix}`} from ${effectiveFrom}`;

export const RatesSkeleton = () => <TableSkeleton label="Loading the rates" rows={4} {...columns} />;
