import type { User } from "@leadline/contract/users";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useLayoutEffect } from "react";
import { pageOrganisation } from "../data/page-organisation.ts";
import { useLiveEvents } from "../data/live-events.ts";
import { meQuery } from "../data/me-query.ts";
import { onSignedOutElsewhere } from "../data/session.ts";
import { CallBar } from "../phone/call-bar.tsx";
import { usePhone } from "../phone/phone-context.ts";
import { PhoneProvider } from "../phone/phone-provider.tsx";

/** The phone on pages outside the signed-in layout: calls continue, ring, and are controlled from the bar. */
export function PublicPagesPhone() {
  const me = useQuery(meQuery).data;
  return me ? <Phone organisation={me.activeOrganisation} /> : null;
}

function Phone({ organisation }: { organisation: User["activeOrganisation"] }) {
  const organisationId = organisation?.id ?? null;
  useLiveEvents(organisationId);
  // These pages have no forms, so they follow the user to whichever organisation they switch to.
  useLayoutEffect(() => pageOrganisation.set(organisationId), [organisationId]);
  return (
    <PhoneProvider>
      <LeaveWhenSignedOut />
      <CallBar />
    </PhoneProvider>
  );
}

/** The page stays, but signing out has ended the call, and the stream can't report that any more. */
function LeaveWhenSignedOut() {
  const { leave } = usePhone();
  useEffect(() => onSignedOutElsewhere(leave), [leave]);
  return null;
}
