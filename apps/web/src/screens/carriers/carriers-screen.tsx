import { listCarriers, updateCarrier } from "@leadline/contract/carriers";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus, RadioTower } from "lucide-react";
import { LoadFailed } from "../../components/load-failed.tsx";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { may } from "../../components/may.ts";
import { carrierAccountsQuery } from "../../data/carrier-accounts-query.ts";
import { carrierKindsQuery, carriersQuery } from "../../data/carriers-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { AccountCard } from "./account-card.tsx";
import { CarriersSkeleton, CarriersTable } from "./carriers-table.tsx";

export function CarriersScreen() {
  const me = useQuery(meQuery).data;
  if (!me) return null;
  const { activeOrganisation } = me;
  if (!activeOrganisation) return <NoOrganisation title="Carriers" />;
  const { name, role } = activeOrganisation;
  if (may(role, listCarriers)) return <Carriers key={activeOrganisation.id} mayChange={may(role, updateCarrier)} />;
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader title="Carriers" lead="Where your organisation’s calls go." />
      <Notice tone="brass">Only an owner or admin of {name} can see its carriers.</Notice>
    </div>
  );
}

function Carriers({ mayChange }: { mayChange: boolean }) {
  const carriers = useQuery(carriersQuery);
  const kinds = useQuery(carrierKindsQuery);
  const accounts = useQuery(carrierAccountsQuery);
  const failed = [carriers, kinds, accounts].some((query) => query.isError && !query.data);
  const newButton = mayChange ? (
    <Button asChild>
      <Link to="/settings/carriers/new">
        <Plus aria-hidden="true" /> Connect a carrier
      </Link>
    </Button>
  ) : null;
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader
        title="Carriers"
        lead="Calls go through the carrier in use. Without one, they go to the sandbox and don’t reach real phones."
        action={carriers.data?.length === 0 && accounts.data?.length === 0 ? null : newButton}
      />
      {failed ? (
        <LoadFailed what="Your carriers" query={[carriers, kinds, accounts]} />
      ) : !carriers.data || !kinds.data || !accounts.data ? (
        <CarriersSkeleton />
      ) : carriers.data.length > 0 || accounts.data.length > 0 ? (
        <>
          {carriers.data.length > 0 ? (
            <CarriersTable carriers={carriers.data} accounts={accounts.data} kinds={kinds.data} mayChange={mayChange} />
          ) : null}
          {/* Below, because they grow once their vendor has listed their numbers: an open menu would move. */}
          {accounts.data.map((account) => (
            <AccountCard
              key={account.id}
              account={account}
              carrier={carriers.data.find(({ id }) => id === account.carrierId)}
              mayChange={mayChange}
            />
          ))}
        </>
      ) : (
        <EmptyState
          picture={<RadioTower className="size-8" aria-hidden="true" />}
          title="No carriers yet"
          action={newButton}
        >
          {mayChange
            ? "Connect a carrier by its API key, or your SIP trunk or PBX, to call real numbers and receive calls. Until then, calls go to the sandbox, which simulates the people you call."
            : "An owner of your organisation can connect a carrier, a SIP trunk or a PBX. Until then, calls go to the sandbox, which simulates the people you call."}
        </EmptyState>
      )}
    </div>
  );
}
