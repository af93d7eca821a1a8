import type { CrmServiceDescription, Integration } from "@leadline/contract/integrations";
import { Link } from "@tanstack/react-router";
import { History, ListTree, PencilLine, PlugZap, RefreshCw, Trash2, Unplug } from "lucide-react";
import { useReadsOnly } from "../../components/use-own-role.ts";
import { Button } from "../../ui/button.tsx";
import { MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { RowMenu } from "../../ui/row-menu.tsx";
import type { IntegrationDialog } from "./integrations-table.tsx";
import type { useConnect, useSync } from "./use-integration-actions.ts";

interface IntegrationActionsProps {
  integration: Integration;
  service: CrmServiceDescription | undefined;
  mayChange: boolean;
  connect: ReturnType<typeof useConnect>;
  sync: ReturnType<typeof useSync>;
  onOpen: (dialog: IntegrationDialog) => void;
}

/** The next step as a button, and all actions in a menu. */
export function IntegrationActions(props: IntegrationActionsProps) {
  const readsOnly = useReadsOnly();
  const { integration, service, mayChange, connect, sync, onOpen } = props;
  const { id, label, status, problem, lastSync } = integration;
  const running = lastSync !== null && lastSync.endedAt === null;
  const isConnected = status === "active" && problem === null;
  const canConnect = service !== undefined && !isConnected && mayChange;
  const canMap = isConnected && mayChange && service !== undefined;
  const canSync = isConnected && !readsOnly && !lacksSource(integration, service);
  const connectWord = status === "inactive" ? "Connect" : "Connect again";
  const mapWord = lacksSource(integration, service) ? "Choose source" : "Map fields";
  return (
    <div className="flex items-center justify-end gap-1">
      {canConnect ? (
        <Button tone="plain" size="small" busy={connect.isPending} onClick={() => connect.mutate()}>
          <PlugZap aria-hidden="true" /> <span className="max-sm:sr-only">{connectWord}</span>
        </Button>
      ) : null}
      {canMap && !canSync ? (
        <Button asChild tone="plain" size="small">
          <Link to="/integrations/$integrationId/source" params={{ integrationId: id }}>
            <ListTree aria-hidden="true" /> <span className="max-sm:sr-only">{mapWord}</span>
          </Link>
        </Button>
      ) : null}
      {canSync ? (
        <Button tone="plain" size="small" busy={sync.isPending || running} onClick={() => sync.mutate()}>
          <RefreshCw aria-hidden="true" /> <span className="max-sm:sr-only">Sync</span>
        </Button>
      ) : null}
      <RowMenu of={label}>
        {canConnect ? (
          <MenuItem onSelect={() => connect.mutate()}>
            <PlugZap aria-hidden="true" /> {connectWord}
          </MenuItem>
        ) : null}
        {canSync ? (
          <MenuItem disabled={running} onSelect={() => sync.mutate()}>
            <RefreshCw aria-hidden="true" /> {running ? "Syncing now" : "Sync leads"}
          </MenuItem>
        ) : null}
        {canMap ? (
          <MenuItem asChild>
            <Link to="/integrations/$integrationId/source" params={{ integrationId: id }}>
              <ListTree aria-hidden="true" /> {mapWord}
            </Link>
          </MenuItem>
        ) : null}
        {mayChange ? (
          <MenuItem onSelect={() => onOpen("rename")}>
            <PencilLine aria-hidden="true" /> Edit label
          </MenuItem>
        ) : null}
        <MenuItem onSelect={() => onOpen("runs")}>
          <History aria-hidden="true" /> Recent syncs
        </MenuItem>
        {mayChange ? (
          <>
            <MenuSeparator />
            {status === "active" ? (
              <MenuItem onSelect={() => onOpen("disconnect")}>
                <Unplug aria-hidden="true" /> Disconnect
              </MenuItem>
            ) : null}
            <MenuItem className="text-fault" onSelect={() => onOpen("remove")}>
              <Trash2 aria-hidden="true" /> Remove
            </MenuItem>
          </>
        ) : null}
      </RowMenu>
    </div>
  );
}

/** Connected, but the source of its leads isn't chosen yet. */
export const lacksSource = (integration: Integration, service: CrmServiceDescription | undefined): boolean =>
  integration.status === "active" && (service?.choosesSource ?? false) && integration.mapping === undefined;
