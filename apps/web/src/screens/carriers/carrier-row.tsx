import { type CarrierConnection, orderCarriers, updateCarrier } from "@leadline/contract/carriers";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  Activity,
  ArrowUp,
  CircleDollarSign,
  Ellipsis,
  ListPlus,
  PencilLine,
  PhoneCall,
  PhoneForwarded,
  PhoneOff,
  ScrollText,
  Trash2,
  Unplug,
} from "lucide-react";
import { toast } from "sonner";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { request } from "../../data/api-client.ts";
import { carriersQuery } from "../../data/carriers-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { RowNote } from "../../ui/row-note.tsx";
import { TableCell, TableRow } from "../../ui/table.tsx";

export type CarrierDialog = "check" | "test-call" | "verify-caller-id" | "remove" | "disconnect";

interface CarrierRowProps {
  carrier: CarrierConnection;
  kindName: string;
  /** Of all carriers, in order of use. */
  inUseIds: readonly string[];
  /** Connected by API key: it goes with what connecting made at the vendor. */
  isByKey: boolean;
  mayChange: boolean;
  onOpen: (dialog: CarrierDialog) => void;
}

/** The row, with the carrier's state as a sentence below it. */
export function CarrierRow({ carrier, kindName, inUseIds, isByKey, mayChange, onOpen }: CarrierRowProps) {
  const { id, label, inUse, state } = carrier;
  const using = useMutation({
    mutationFn: (use: boolean) => request(updateCarrier, { params: { id }, body: { inUse: use } }),
    async onSuccess(saved) {
      await queryClient.invalidateQueries({ queryKey: carriersQuery.queryKey });
      toast.success(usedSentence(saved, inUseIds.filter((each) => each !== id).length));
    },
  });
  const ordering = useMutation({
    mutationFn: (ids: string[]) => request(orderCarriers, { body: { ids } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: carriersQuery.queryKey }),
  });
  const position = inUseIds.indexOf(id);
  const failed = using.isError ? using.error : ordering.error;
  return (
    <>
      <TableRow className="border-b-0">
        <TableCell className="max-w-[280px] truncate font-medium max-md:w-full max-md:max-w-0 max-md:py-2">
          {label}
          <span className="block truncate text-xs font-normal text-ink-soft md:hidden">{kindName}</span>
        </TableCell>
        <TableCell className="whitespace-nowrap max-md:hidden">{kindName}</TableCell>
        <TableCell>
          <span className="flex flex-wrap gap-1">
            <StateBadge level={state.level} />
            {inUse && inUseIds.length > 1 ? <Badge>{position === 0 ? "First" : `Backup ${position}`}</Badge> : null}
          </span>
        </TableCell>
        <TableCell align="right" className="sticky right-0 bg-panel group-hover/row:bg-sunk">
          {mayChange ? (
            <div className="flex items-center justify-end gap-1">
              {inUse ? null : (
                <Button tone="plain" size="small" busy={using.isPending} onClick={() => using.mutate(true)}>
                  <PhoneForwarded aria-hidden="true" /> <span className="max-sm:sr-only">Use for calls</span>
                </Button>
              )}
              <Menu
                trigger={
                  <Button tone="quiet" size="small" className="px-2" aria-label={`Actions for ${label}`}>
                    <Ellipsis aria-hidden="true" />
                  </Button>
                }
              >
                <MenuItem onSelect={() => onOpen("check")}>
                  <Activity aria-hidden="true" /> Test connection
                </MenuItem>
                <MenuItem onSelect={() => onOpen("test-call")}>
                  <PhoneCall aria-hidden="true" /> Test call
                </MenuItem>
                <MenuItem asChild>
                  <Link to="/settings/carriers/$carrierId/rates" params={{ carrierId: id }}>
                    <CircleDollarSign aria-hidden="true" /> Rates
                  </Link>
                </MenuItem>
                <MenuItem asChild>
                  <Link to="/settings/carriers/$carrierId/trace" params={{ carrierId: id }}>
                    <ScrollText aria-hidden="true" /> SIP trace
                  </Link>
                </MenuItem>
                <MenuItem asChild>
                  <Link to="/settings/carriers/$carrierId" params={{ carrierId: id }}>
                    <PencilLine aria-hidden="true" /> Edit
                  </Link>
                </MenuItem>
                {inUse ? (
                  <MenuItem onSelect={() => using.mutate(false)}>
                    <PhoneOff aria-hidden="true" /> Stop using it
                  </MenuItem>
                ) : (
                  <MenuItem onSelect={() => using.mutate(true)}>
                    <PhoneForwarded aria-hidden="true" /> Use for calls
                  </MenuItem>
                )}
                <OrderItems id={id} inUseIds={inUseIds} onOrder={(ids) => ordering.mutate(ids)} />
                <MenuSeparator />
                {isByKey ? (
                  <MenuItem className="text-fault" onSelect={() => onOpen("disconnect")}>
                    <Unplug aria-hidden="true" /> Disconnect
                  </MenuItem>
                ) : (
                  <MenuItem className="text-fault" onSelect={() => onOpen("remove")}>
                    <Trash2 aria-hidden="true" /> Remove
                  </MenuItem>
                )}
              </Menu>
            </div>
          ) : (
            <div className="flex items-center justify-end gap-1">
              <Button asChild tone="quiet" size="small">
                <Link
                  to="/settings/carriers/$carrierId/rates"
                  params={{ carrierId: id }}
                  aria-label={`Rates of ${label}`}
                >
                  <CircleDollarSign aria-hidden="true" /> <span className="max-sm:sr-only">Rates</span>
                </Link>
              </Button>
              <Button asChild tone="quiet" size="small">
                <Link
                  to="/settings/carriers/$carrierId/trace"
                  params={{ carrierId: id }}
                  aria-label={`SIP trace of ${label}`}
                >
                  <ScrollText aria-hidden="true" /> <span className="max-sm:sr-only">SIP trace</span>
                </Link>
              </Button>
            </div>
          )}
        </TableCell>
      </TableRow>
      <RowNote tone={failed || state.level === "down" ? "fault" : "plain"} columns={4}>
        {failed ? problemDetail(failed) : state.sentence}
        <HiddenCallerId callerId={carrier.callerId} onVerify={mayChange ? () => onOpen("verify-caller-id") : null} />
      </RowNote>
    </>
  );
}

/** `others`: how many other carriers are in use. */
function usedSentence({ inUse, label }: CarrierConnection, others: number): string {
  if (inUse) return `Calls now go through ${label}${others === 0 ? "." : " first. The others are its backups."}`;
  return others === 0 ? "Calls now go to the sandbox." : `Calls no longer go through ${label}.`;
}

interface OrderItemsProps {
  id: string;
  inUseIds: readonly string[];
  onOrder: (ids: string[]) => void;
}

/** If a carrier can't place a call, the next one tries. */
function OrderItems({ id, inUseIds, onOrder }: OrderItemsProps) {
  const position = inUseIds.indexOf(id);
  if (position === -1 && inUseIds.length > 0)
    return (
      <MenuItem onSelect={() => onOrder([...inUseIds, id])}>
        <ListPlus aria-hidden="true" /> Use as backup
      </MenuItem>
    );
  if (position < 1) return null;
  const others = inUseIds.filter((each) => each !== id);
  return (
    <MenuItem onSelect={() => onOrder(others.toSpliced(position - 1, 0, id))}>
      <ArrowUp aria-hidden="true" /> Move up
    </MenuItem>
  );
}

/** Says that callees don’t see the caller ID yet, with a link to where to change that. */
function HiddenCallerId({
  callerId,
  onVerify,
}: Pick<CarrierConnection, "callerId"> & { onVerify: (() => void) | null }) {
  if (!callerId || callerId.unverifiedAt.length === 0) return null;
  const number = formatPhoneNumber(callerId.number);
  return (
    <span className="mt-1 block">
      Calls through {callerId.unverifiedAt.join(", ")} don’t show <span className="whitespace-nowrap">{number}</span>{" "}
      until it’s verified.{" "}
      {onVerify ? (
        <button
          type="button"
          className="rounded-[4px] font-medium text-brand underline decoration-brand/35 underline-offset-3 hover:decoration-brand"
          onClick={onVerify}
        >
          Verify {number}
        </button>
      ) : null}
    </span>
  );
}

function StateBadge({ level }: { level: CarrierConnection["state"]["level"] }) {
  switch (level) {
    case "working":
      return <Badge tone="brand">In use</Badge>;
    case "partly":
      return <Badge tone="brass">In use, in part</Badge>;
    case "starting":
      return <Badge tone="brass">Connecting</Badge>;
    case "down":
      return <Badge tone="fault">Down</Badge>;
    case "unused":
      return <Badge>Not in use</Badge>;
  }
}
