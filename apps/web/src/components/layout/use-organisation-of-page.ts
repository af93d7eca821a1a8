import { useEffect, useState } from "react";
import { toast } from "sonner";
import { actingIn } from "../../data/acting-in.ts";
import { dropWhatWasRead } from "../../data/switch-organisation.ts";
import { unsavedForms } from "../unsaved-forms.ts";

interface Organisation {
  id: string;
  name: string;
}

/**
 * Which organisation the page is about. It follows the one that the person acts in, and then is begun anew; where that
 * was switched elsewhere, such as in another tab, what is half entered here waits for the person's word.
 */
export function useOrganisationOfPage(active: Organisation | null) {
  const [page, setPage] = useState({ organisation: active, times: 0 });
  const isOther = active?.id !== page.organisation?.id;
  const [asking, setAsking] = useState(false);

  function follow(): void {
    actingIn.set(active?.id ?? null);
    setAsking(false);
    // What is typed about the person themselves is no organisation's.
    const staysOpen = page.organisation === null || unsavedForms.hasAny({ personal: true });
    setPage({ organisation: active, times: page.times + (staysOpen ? 0 : 1) });
  }
  function beginAnew(): void {
    follow();
    void dropWhatWasRead();
    if (active) toast.info(`You now act inside ${active.name}.`);
  }
  useEffect(() => {
    if (!isOther) {
      actingIn.set(active?.id ?? null);
      setAsking(false);
    } else if (active === null || page.organisation === null || actingIn.organisationId() === active.id) follow();
    else if (unsavedForms.hasAny({ personal: false })) setAsking(true);
    else beginAnew();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each organisation that becomes the active one
  }, [active?.id]);

  return { key: page.times, former: page.organisation, asking: asking && isOther, beginAnew };
}
