import { useEffect } from "react";
import { billingKey } from "./billing-query.ts";
import { callsKey } from "./calls-query.ts";
import { followIntegrationEvents } from "./follow-integration-events.ts";
import { followUpsKey } from "./follow-ups-query.ts";
import { leadsKey } from "./leads-query.ts";
import { subscribeLiveEvent } from "./live-events.ts";
import { meQuery } from "./me-query.ts";
import { membersQuery } from "./members-query.ts";
import { organisationsQuery } from "./organisations-query.ts";
import { phoneNumbersKey } from "./phone-numbers-query.ts";
import { queryClient } from "./query-client.ts";
import { statisticsKey } from "./statistics-query.ts";
import { newMessagesQuery } from "./voicemail-query.ts";

/** The start of a call is several events within a moment in which its audio counts, not its row in the log. */
const betweenLogsMs = 300;
const betweenCountsMs = 5_000;

/** Refetches what an event says has changed. */
export function useQueriesFollowLiveEvents(): void {
  useEffect(() => {
    const log = createGatherer(betweenLogsMs, () => {
      void queryClient.invalidateQueries({ queryKey: callsKey });
      void queryClient.invalidateQueries({ queryKey: followUpsKey });
    });
    const counts = createGatherer(betweenCountsMs, () => {
      void queryClient.invalidateQueries({ queryKey: statisticsKey });
    });
    // Their last call and their timeline.
    const leads = createGatherer(betweenLogsMs, () => {
      for (const part of ["one", "timeline"]) void queryClient.invalidateQueries({ queryKey: [...leadsKey, part] });
    });
    const messages = createGatherer(betweenLogsMs, () => {
      void queryClient.invalidateQueries({ queryKey: newMessagesQuery.queryKey });
    });
    const charges = createGatherer(betweenLogsMs, () => {
      void queryClient.invalidateQueries({ queryKey: billingKey });
    });
    const stopCalls = subscribeLiveEvent("call.updated", ({ direction, endedAt }) => {
      log.add();
      counts.add();
      if (endedAt !== null) {
        charges.add();
        leads.add();
      }
      // A message arrived, was heard or deleted: its call had ended before.
      if (direction === "inbound" && endedAt !== null) messages.add();
    });
    const stopOrganisations = subscribeLiveEvent("organisation.updated", () => {
      void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: organisationsQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: membersQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: billingKey });
    });
    const stopPhoneNumbers = subscribeLiveEvent("phone-numbers.changed", () => {
      void queryClient.invalidateQueries({ queryKey: phoneNumbersKey });
      // They may have been paid for.
      void queryClient.invalidateQueries({ queryKey: billingKey });
    });
    const stopBilling = subscribeLiveEvent("billing.changed", () => {
      void queryClient.invalidateQueries({ queryKey: billingKey });
      void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: organisationsQuery.queryKey });
    });
    const stopIntegrations = followIntegrationEvents();
    return () => {
      stopIntegrations();
      stopCalls();
      log.drop();
      counts.drop();
      messages.drop();
      charges.drop();
      leads.drop();
      stopOrganisations();
      stopPhoneNumbers();
      stopBilling();
    };
  }, []);
}

/** Debounces: runs the work once, however often it was requested meanwhile. */
function createGatherer(afterMs: number, work: () => void) {
  let due: ReturnType<typeof setTimeout> | undefined;
  return {
    add(): void {
      due ??= setTimeout(() => {
        due = undefined;
        work();
      }, afterMs);
    },
    drop: (): void => clearTimeout(due),
  };
}
