import type { AvailableNumber, NumberSeller } from "@leadline/contract/phone-numbers";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { SearchX } from "lucide-react";
import { useState } from "react";
import { LoadFailed } from "../../components/load-failed.tsx";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { usePageOrganisation } from "../../components/use-page-organisation.ts";
import { useSearchText } from "../../components/use-search-text.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { availableNumbersQuery, numberUseQuery } from "../../data/phone-numbers-query.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { AccountNumbers } from "./account-numbers.tsx";
import { AvailableNumbersSkeleton, AvailableNumbersTable } from "./available-numbers-table.tsx";
import { BuyNumberDialog } from "./buy-number-dialog.tsx";
import { NumberSearchForm } from "./number-search-form.tsx";
import { OtherCarrierNotice } from "./other-carrier-notice.tsx";
import { SellerSelect } from "./seller-select.tsx";
import { useNumberSearch } from "./use-number-search.ts";
import { useMayManageNumbers } from "./use-may-manage-numbers.ts";
import { useOtherCarrier } from "../../components/use-other-carrier.ts";

export function AssignNumberScreen() {
  return usePageOrganisation() ? <NumberSearch /> : <NoOrganisation title="Get a phone number" />;
}

function NumberSearch() {
  const mayManage = useMayManageNumbers();
  const use = useQuery({ ...numberUseQuery, refetchOnMount: "always" });
  const otherCarrier = useOtherCarrier();
  const { countryCode, search, accountId, change } = useNumberSearch();
  const sellers = use.data?.sellers ?? [];
  const seller = sellers.find((each) => each.accountId === accountId) ?? sellers[0];
  const [text, setText] = useSearchText(search, (typed) => change({ search: typed }), 300);
  const [chosen, setChosen] = useState<AvailableNumber | null>(null);
  const found = useInfiniteQuery({
    ...availableNumbersQuery(countryCode, search, seller?.accountId ?? null),
    enabled: seller !== undefined,
  });
  const numbers = found.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader title="Get a phone number" lead={seller ? leadOf(seller) : null} />
      {otherCarrier === null || seller?.accountId !== null ? null : <OtherCarrierNotice carrier={otherCarrier} />}
      {mayManage ? null : <Notice tone="brass">Only an admin or owner of your organisation can buy numbers.</Notice>}
      {seller ? <SellerSelect sellers={sellers} seller={seller} onAccount={(account) => change({ account })} /> : null}
      <NumberSearchForm
        countryCode={countryCode}
        onCountryCode={(country) => change({ country })}
        text={text}
        onText={setText}
        searching={found.isFetching && !found.isFetchingNextPage}
        onSearch={() => {
          if (text === search) void found.refetch();
          else change({ search: text });
        }}
      />
      {found.isError && !found.isFetchNextPageError ? (
        <LoadFailed what="The numbers for sale" query={found} />
      ) : found.data && !use.isPending ? (
        <>
          <output className="sr-only">
            {numbers.length === 1 ? "1 number found." : `${numbers.length} numbers found.`}
          </output>
          {numbers.length > 0 ? (
            <AvailableNumbersTable numbers={numbers} onBuy={mayManage ? setChosen : null} />
          ) : found.hasNextPage ? (
            <EmptyState title="The first numbers are taken">
              Other organisations already have these. Load more, or search by digits or town.
            </EmptyState>
          ) : (
            <NothingFound seller={seller} text={search} onClear={() => change({ search: "" })} />
          )}
          {found.isFetchNextPageError ? (
            <Notice title="Couldn’t load more numbers">{problemDetail(found.error)}</Notice>
          ) : null}
          {found.hasNextPage ? (
            <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 text-sm text-ink-soft">
              {numbers.length > 0 ? (
                <span className="text-center text-pretty">
                  Showing the first {numbers.length}. Search by digits or town to narrow the list.
                </span>
              ) : null}
              <Button tone="plain" size="small" busy={found.isFetchingNextPage} onClick={() => found.fetchNextPage()}>
                Load more
              </Button>
            </div>
          ) : null}
        </>
      ) : (
        <AvailableNumbersSkeleton />
      )}
      {seller && seller.accountId !== null && mayManage ? (
        <AccountNumbers key={seller.accountId} accountId={seller.accountId} name={seller.name} />
      ) : null}
      {chosen && seller ? (
        <BuyNumberDialog offered={chosen} seller={seller} countryCode={countryCode} onClose={() => setChosen(null)} />
      ) : null}
    </div>
  );
}

function leadOf({ accountId, name, isSandbox }: NumberSeller): string {
  if (accountId === null)
    return "Sandbox numbers are for trying things out. The numbers and their monthly fees aren’t real.";
  const billed = `${name} sells these numbers and bills you for them. Your Leadline balance isn’t charged.`;
  return isSandbox ? `${billed} This is ${name}’s sandbox: the numbers and fees aren’t real.` : billed;
}

interface NothingFoundProps {
  seller: NumberSeller | undefined;
  text: string;
  onClear: () => void;
}

function NothingFound({ seller, text, onClear }: NothingFoundProps) {
  const searched = text.trim() !== "";
  return (
    <EmptyState
      picture={<SearchX className="size-8" aria-hidden="true" />}
      title="No phone numbers found."
      action={
        searched ? (
          <Button tone="plain" onClick={onClear}>
            Show all numbers
          </Button>
        ) : null
      }
    >
      {searched
        ? "Try fewer digits, another area code, or a town."
        : `${seller && seller.accountId !== null ? seller.name : "The sandbox"} has no numbers there. Try another country.`}
    </EmptyState>
  );
}
