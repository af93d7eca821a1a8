import { useEffect } from "react";
import { callsKey } from "./calls-query.ts";
import { followIntegrationEvents } from "./follow-integration-events.ts";
import { followUpsKey } from "./follow-ups-query.ts";
import { subscribeLiveEvent } from "./live-events.ts";
import { meQuery } from "./me-query.ts";
import { membersQuery } from "./members-query.ts";
import { organisationsQuery } from "./organisations-query.ts";
import { phoneNumbersKey } from "./phone-numbers-query.ts";
import { queryClient } from "./query-client.ts";
import { statisticsKey } from "./statistics-query.ts";

const betweenCountsMs = 5_000;

/** Reads again what an event says has changed. */
export function useQueriesFollowLiveEvents(): void {
  useEffect(() => {
    let counting: ReturnType<typeof setTimeout> | undefined;
    const count = () => {
      counting = undefined;
      void queryClient.invalidateQueries({ queryKey: statisticsKey });
    };
    const stopCalls = subscribeLiveEvent("call.updated", () => {
      void queryClient.invalidateQueries({ queryKey: callsKey });
      void queryClient.invalidateQueries({ queryKey: followUpsKey });
      counting ??= setTimeout(count, betweenCountsMs);
    });
    const stopOrganisations = subscribeLiveEvent("organisation.updated", () => {
      void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: organisationsQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: membersQuery.queryKey });
    });
    const stopPhoneNumbers = subscribeLiveEvent("phone-numbers.changed", () => {
      void queryClient.invalidateQueries({ queryKey: phoneNumbersKey });
    });
    const stopIntegrations = followIntegrationEvents();
    return () => {
      stopIntegrations();
      clearTimeout(counting);
      stopCalls();
      stopOrganisations();
      stopPhoneNumbers();
    };
  }, []);
}
