import { type MemberLimits as MembersOwn, updateLimits } from "@leadline/contract/limits";
import { useQuery } from "@tanstack/react-query";
import { LoadFailed } from "../../components/load-failed.tsx";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { usePageOrganisation } from "../../components/use-page-organisation.ts";
import { may } from "../../components/may.ts";
import { limitsQuery } from "../../data/limits-query.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { describeMemberLimits } from "./describe-member-limits.ts";
import { LimitsForm } from "./limits-form.tsx";
import { LimitsList } from "./limits-list.tsx";
import { MemberLimits } from "./member-limits.tsx";
import { RefusedCalls } from "./refused-calls.tsx";

export function LimitsScreen() {
  const organisation = usePageOrganisation();
  if (!organisation) return <NoOrganisation title="Limits" />;
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader
        title="Limits"
        lead={`Where ${organisation.name} can call and how much it can spend. Limits keep a stolen password from running up a bill.`}
      />
      <Limits mayChange={may(organisation.role, updateLimits)} />
    </div>
  );
}

function Limits({ mayChange }: { mayChange: boolean }) {
  const limits = useQuery(limitsQuery);
  if (limits.data)
    return (
      <>
        <OwnLimits own={limits.data.own} />
        {mayChange ? (
          <>
            <LimitsForm limits={limits.data} />
            <MemberLimits limits={limits.data} />
            <RefusedCalls />
          </>
        ) : (
          <LimitsList limits={limits.data} />
        )}
      </>
    );
  if (limits.isError) {
    return <LoadFailed what="The limits" query={limits} />;
  }
  return (
    <div role="status" aria-label="Loading the limits" className="flex max-w-[440px] flex-col gap-6">
      {["countries", "calls", "minute", "day"].map((part) => (
        <Skeleton key={part} className="h-9 w-full" />
      ))}
    </div>
  );
}

function OwnLimits({ own }: { own: MembersOwn }) {
  const described = describeMemberLimits(own);
  if (described === "") return null;
  return <Notice tone="brass">Narrower limits apply to you: {described}.</Notice>;
}
