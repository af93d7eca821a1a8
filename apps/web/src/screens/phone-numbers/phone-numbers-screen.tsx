import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Hash, Plus } from "lucide-react";
import { LoadFailed } from "../../components/load-failed.tsx";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { UnusedNumbers } from "../../components/unused-numbers.tsx";
import { usePageOrganisation } from "../../components/use-page-organisation.ts";
import { numberUseQuery, phoneNumbersQuery } from "../../data/phone-numbers-query.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { CallerIdSettings } from "./caller-id-settings.tsx";
import { NumberOrders } from "./number-orders.tsx";
import { NumberSums } from "./number-sums.tsx";
import { OtherCarrierNotice } from "./other-carrier-notice.tsx";
import { PhoneNumbersSkeleton, PhoneNumbersTable } from "./phone-numbers-table.tsx";
import { useMayManageNumbers } from "./use-may-manage-numbers.ts";
import { useOtherCarrier } from "../../components/use-other-carrier.ts";

export function PhoneNumbersScreen() {
  return usePageOrganisation() ? <PhoneNumbers /> : <NoOrganisation title="Phone numbers" />;
}

function PhoneNumbers() {
  const numbers = useQuery(phoneNumbersQuery);
  const use = useQuery({ ...numberUseQuery, refetchOnMount: "always" });
  const otherCarrier = useOtherCarrier();
  const mayManage = useMayManageNumbers();
  const usesAccount = use.data !== undefined && use.data.accountId !== null;
  const isShown = use.data?.usesNumbers === true || usesAccount;
  const some = (numbers.data?.length ?? 0) > 0;
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader
        title="Phone numbers"
        lead={some && isShown ? "People you call see the number marked as caller ID." : null}
        action={some && mayManage ? <GetNumber label="Get another phone number" /> : null}
      />
      <NumberOrders mayManage={mayManage} />
      {otherCarrier === null || usesAccount ? null : <OtherCarrierNotice carrier={otherCarrier} />}
      {mayManage
        ? use.data?.sellers.map(({ accountId, name }) =>
            accountId === null ? null : <UnusedNumbers key={accountId} accountId={accountId} name={name} />,
          )
        : null}
      {numbers.data && !use.isPending ? (
        some ? (
          <>
            <PhoneNumbersTable numbers={numbers.data} mayManage={mayManage} />
            <NumberSums numbers={numbers.data} sellers={use.data?.sellers ?? []} />
          </>
        ) : (
          <EmptyState
            picture={<Hash className="size-8" aria-hidden="true" />}
            title="Your organisation has no phone number yet"
            action={mayManage ? <GetNumber label="Get a phone number" /> : null}
          >
            {otherCarrier !== null && !usesAccount
              ? `Calls through ${otherCarrier} don’t need one. Sandbox numbers are for trying things out.`
              : mayManage
                ? "Get a number so people can see who is calling. Until then, calls go out without a caller ID."
                : "Calls go out without a caller ID until an admin or the owner gets a number."}
          </EmptyState>
        )
      ) : numbers.isError && !numbers.data ? (
        <LoadFailed what="Your phone numbers" query={numbers} />
      ) : (
        <PhoneNumbersSkeleton />
      )}
      <CallerIdSettings />
    </div>
  );
}

function GetNumber({ label }: { label: string }) {
  return (
    <Button asChild>
      <Link to="/settings/phone-numbers/assign">
        <Plus aria-hidden="true" /> {label}
      </Link>
    </Button>
  );
}
