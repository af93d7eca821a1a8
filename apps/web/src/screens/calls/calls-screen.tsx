import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useState } from "react";
import { callLogQuery } from "../../data/calls-query.ts";
import { meQuery } from "../../data/me-query.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { NoOrganisation } from "./no-organisation.tsx";
import { PhonePanel } from "./phone-panel.tsx";
import { RecentCalls } from "./recent-calls.tsx";

export function CallsScreen() {
  const me = useQuery(meQuery);
  if (!me.data) return null;
  return me.data.activeOrganisation ? <Phone /> : <NoOrganisation />;
}

function Phone() {
  const log = useInfiniteQuery(callLogQuery());
  const [sheetOpen, setSheetOpen] = useState(false);
  const calls = log.data?.pages.flatMap((page) => page.items) ?? [];
  const recentNumbers = [...new Set(calls.map((call) => call.phoneNumber))];
  const recent = <RecentCalls log={log} calls={calls} onRedial={() => setSheetOpen(false)} />;
  return (
    <div className="flex items-start gap-6">
      <h1 className="sr-only">Calls</h1>
      <div className="flex w-full flex-col gap-3 md:w-[340px] md:shrink-0">
        <PhonePanel recentNumbers={recentNumbers} />
        <Button tone="quiet" className="md:hidden" onClick={() => setSheetOpen(true)}>
          <History aria-hidden="true" />
          Recent calls
        </Button>
      </div>
      <div className="min-w-0 flex-1 max-md:hidden">{recent}</div>
      <Sheet open={sheetOpen} onOpenChange={setSheetOpen} side="bottom" title="Recent calls" className="p-4 md:hidden">
        {recent}
      </Sheet>
    </div>
  );
}
