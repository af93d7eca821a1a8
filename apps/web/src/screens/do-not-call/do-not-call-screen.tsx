import { useInfiniteQuery } from "@tanstack/react-query";
import { Search, SearchX, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { LoadFailed } from "../../components/load-failed.tsx";
import { LoadMore } from "../../components/load-more.tsx";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useReadsOnly } from "../../components/use-own-role.ts";
import { usePageOrganisation } from "../../components/use-page-organisation.ts";
import { useDoNotCall } from "../../components/use-do-not-call.ts";
import { doNotCallListQuery } from "../../data/do-not-call-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Input } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";
import { AddNumberForm } from "./add-number-form.tsx";
import { DoNotCallSkeleton, DoNotCallTable } from "./do-not-call-table.tsx";

export function DoNotCallScreen() {
  const organisation = usePageOrganisation();
  const readsOnly = useReadsOnly();
  if (!organisation) return <NoOrganisation title="Do not call" />;
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader title="Do not call" lead={`Numbers that no one in ${organisation.name} can call.`} />
      {readsOnly ? null : <AddNumberForm />}
      <List />
    </div>
  );
}

function List() {
  const [typed, setTyped] = useState("");
  const digits = typed.replaceAll(/\D/g, "");
  const list = useInfiniteQuery(doNotCallListQuery(digits));
  const { adding: puttingBack, removing } = useDoNotCall();
  const notPutBack = puttingBack.isError ? <Notice>{problemDetail(puttingBack.error)}</Notice> : null;
  const entries = list.data?.pages.flatMap((page) => page.items) ?? [];
  if (!list.data) return list.isError ? <LoadFailed what="The list" query={list} /> : <DoNotCallSkeleton />;
  if (entries.length === 0 && digits === "")
    return (
      <>
        {notPutBack}
        <EmptyState picture={<ShieldCheck className="size-8" aria-hidden="true" />} title="No blocked numbers">
          Add people who ask not to be called: here, on a lead’s page, or with the outcome “Do not call” after a call.
        </EmptyState>
      </>
    );
  return (
    <>
      <search className="relative md:max-w-[340px]">
        <Search
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-soft"
          aria-hidden="true"
        />
        <Input
          type="search"
          inputMode="tel"
          aria-label="Find by digits"
          placeholder="Find by digits"
          maxLength={40}
          className="pl-9"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </search>
      {notPutBack}
      {entries.length > 0 ? (
        <DoNotCallTable entries={entries} stale={list.isPlaceholderData} removing={removing} />
      ) : (
        <EmptyState
          picture={<SearchX className="size-8" aria-hidden="true" />}
          title={`No numbers on the list contain ${digits}`}
          action={
            <Button tone="plain" onClick={() => setTyped("")}>
              Show all
            </Button>
          }
        />
      )}
      <LoadMore list={list} />
    </>
  );
}
