import { useEffect, useLayoutEffect, useState } from "react";
import { pageOrganisation } from "../../data/page-organisation.ts";
import { organisationsQuery } from "../../data/organisations-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { dropWhatWasRead } from "../../data/switch-organisation.ts";
import { unsavedForms } from "../unsaved-forms.ts";

interface Organisation {
  id: string;
  name: string;
}

/** Not needed for the first paint. */
const reportSwitch = (name: string): Promise<unknown> =>
  import("../../ui/late-toast.ts").then(({ toast }) => toast.info(`Switched to ${name}.`)).catch(() => {});

/**
 * The organisation that the page is about. It follows the active one and then restarts the page; but if the user
 * switched elsewhere, such as in another tab, unsaved changes here wait for their confirmation.
 */
export function useOrganisationOfPage<T extends Organisation>(active: T | null) {
  const [page, setPage] = useState({ organisation: active, times: 0 });
  const isOther = active?.id !== page.organisation?.id;
  const [asking, setAsking] = useState(false);
  const [lost, setLost] = useState<T | null>(null);

  function follow(): void {
    pageOrganisation.set(active?.id ?? null);
    setAsking(false);
    // A form about the user belongs to no organisation.
    const staysOpen = page.organisation === null || unsavedForms.hasAny({ personal: true });
    setPage({ organisation: active, times: page.times + (staysOpen ? 0 : 1) });
  }
  function startOver(): void {
    follow();
    void dropWhatWasRead();
    if (active) void reportSwitch(active.name);
  }
  // Before the first query of any part of the page.
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- later changes may have to wait for the user's confirmation
  useLayoutEffect(() => pageOrganisation.set(active?.id ?? null), []);
  // As it is now, for when it is no longer the active one.
  useEffect(() => {
    setPage((before) => {
      const staysSo = before.organisation === active || before.organisation?.id !== active?.id;
      return staysSo ? before : { ...before, organisation: active };
    });
  }, [active]);
  useEffect(() => {
    if (!isOther) {
      pageOrganisation.set(active?.id ?? null);
      setAsking(false);
    } else if (active === null && pageOrganisation.organisationId() !== null) {
      setLost(page.organisation);
      follow();
      void queryClient.invalidateQueries({ queryKey: organisationsQuery.queryKey });
    } else if (active === null || page.organisation === null || pageOrganisation.organisationId() === active.id)
      follow();
    else if (unsavedForms.hasAny({ personal: false })) setAsking(true);
    else startOver();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each organisation that becomes the active one
  }, [active?.id]);

  return {
    key: page.times,
    organisation: isOther ? page.organisation : active,
    former: page.organisation,
    asking: asking && isOther,
    /** If the user is in no organisation any more, without having left it here: the former one. */
    lost: active === null ? lost : null,
    forgetLost: () => setLost(null),
    beginAnew: startOver,
  };
}
