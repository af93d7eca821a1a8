import { type CarrierTrace, readCarrierTrace } from "@leadline/contract/carriers";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { RefreshCw, ScrollText } from "lucide-react";
import { useState } from "react";
import { LoadFailed } from "../../components/load-failed.tsx";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { may } from "../../components/may.ts";
import { carriersQuery, carrierTraceQuery } from "../../data/carriers-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TraceMessage } from "./trace-message.tsx";

export function CarrierTraceScreen() {
  const { carrierId } = useParams({ from: "/signed-in/settings/carriers/$carrierId/trace" });
  const organisation = useQuery(meQuery).data?.activeOrganisation;
  if (organisation === undefined) return null;
  if (organisation === null) return <NoOrganisation title="SIP trace" />;
  if (may(organisation.role, readCarrierTrace)) return <Trace key={carrierId} carrierId={carrierId} />;
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader title="SIP trace" />
      <Notice tone="brass">Only an owner or admin of {organisation.name} can see its carriers.</Notice>
    </div>
  );
}

const isKeepAlive = ({ text }: CarrierTrace["messages"][number]): boolean =>
  /^cseq[ \t]*:[ \t]*\d+ OPTIONS\b/im.test(text);

function Trace({ carrierId }: { carrierId: string }) {
  const trace = useQuery(carrierTraceQuery(carrierId));
  const label = useQuery(carriersQuery).data?.find(({ id }) => id === carrierId)?.label;
  const [withKeepAlives, showKeepAlives] = useState(false);
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader
        title={label === undefined ? "SIP trace" : `SIP trace of ${label}`}
        lead="Recent messages to and from your provider, newest first. Passwords and keys are hidden."
        action={
          <Button tone="plain" busy={trace.isFetching} onClick={() => void trace.refetch()}>
            <RefreshCw aria-hidden="true" /> Refresh
          </Button>
        }
      />
      {trace.data ? (
        <>
          <Strangers strangers={trace.data.strangers} />
          {trace.data.messages.some(isKeepAlive) ? (
            <Checkbox label="Show keep-alives (OPTIONS)" checked={withKeepAlives} onChange={showKeepAlives} />
          ) : null}
          <Messages messages={trace.data.messages.filter((one) => withKeepAlives || !isKeepAlive(one))} />
        </>
      ) : trace.isError ? (
        <LoadFailed what="The SIP trace" query={trace} />
      ) : (
        <div role="status" aria-label="Loading the SIP trace" className="flex flex-col gap-2">
          {["w-full", "w-full", "w-full", "w-3/4"].map((width, index) => (
            <Skeleton key={`${width}-${index}`} className={`h-10 ${width}`} />
          ))}
        </div>
      )}
    </div>
  );
}

function Messages({ messages }: Pick<CarrierTrace, "messages">) {
  if (messages.length === 0)
    return (
      <EmptyState picture={<ScrollText className="size-8" aria-hidden="true" />} title="No messages yet">
        Calls and registrations appear here while the carrier is in use. Test the connection or make a call, then
        refresh. Restarting Leadline or changing the carrier’s settings clears the trace.
      </EmptyState>
    );
  return (
    <ol aria-label="Messages" className="divide-y divide-line overflow-hidden rounded-md border border-line bg-panel">
      {messages.map((message) => (
        <TraceMessage key={message.id} message={message} />
      ))}
    </ol>
  );
}

function Strangers({ strangers }: Pick<CarrierTrace, "strangers">) {
  if (strangers.length === 0) return null;
  const named = strangers.slice(0, 5).map(({ address, packets }) => `${address} (${packets})`);
  const more = strangers.length > named.length ? ` and ${strangers.length - named.length} more` : "";
  return (
    <Notice tone="brass" title="Messages from other addresses were ignored">
      <span className="wrap-anywhere">
        {named.join(", ")}
        {more}. If your provider calls from one of them, add it to the carrier under Advanced, Further addresses.
      </span>
    </Notice>
  );
}
