import type { User } from "@leadline/contract/users";
import { useQuery } from "@tanstack/react-query";
import { Navigate, Outlet, useRouterState } from "@tanstack/react-router";
import { startTransition, useDeferredValue, useEffect, useRef, useState } from "react";
import { Header } from "../components/layout/header.tsx";
import { useOrganisationOfPage } from "../components/layout/use-organisation-of-page.ts";
import { OfflineNotice } from "../components/layout/offline-notice.tsx";
import { useLaterParts } from "../components/layout/use-later-parts.ts";
import { LayoutSkeleton } from "../components/layout/layout-skeleton.tsx";
import { usePreloadedScreens } from "../components/layout/use-preloaded-screens.ts";
import { PageOrganisation } from "../components/use-page-organisation.ts";
import { useWide } from "../components/use-wide.ts";
import { FollowUpReminders } from "../components/follow-up-reminders.tsx";
import { Breadcrumbs } from "../components/layout/breadcrumbs.tsx";
import { Sidebar } from "../components/layout/sidebar.tsx";
import { useSidebar } from "../components/layout/use-sidebar.ts";
import { SkipLink } from "../components/skip-link.tsx";
import { leaveSignedOut, leaveSignedOutElsewhere } from "../data/api-client.ts";
import { isSignedIn, onSignedOutElsewhere } from "../data/session.ts";
import { useLiveEvents } from "../data/live-events.ts";
import { meQuery } from "../data/me-query.ts";
import { ProblemError, problemDetail } from "../data/problem-error.ts";
import { useQueriesFollowLiveEvents } from "../data/queries-follow-live-events.ts";
import { CallBar } from "../phone/call-bar.tsx";
import { isActive } from "../phone/call/call-phase.ts";
import { usePhoneState } from "../phone/phone-context.ts";
import { PhoneProvider } from "../phone/phone-provider.tsx";
import { Button } from "../ui/button.tsx";
import { laterPart } from "../ui/later-part.tsx";
import { MessageScreen } from "./message-screen.tsx";

const SwitchedElsewhereDialog = laterPart(
  () => import("../components/layout/switched-elsewhere-dialog.tsx"),
  "SwitchedElsewhereDialog",
);
const NoLongerMemberDialog = laterPart(
  () => import("../components/layout/no-longer-member-dialog.tsx"),
  "NoLongerMemberDialog",
);
const RenewalBanner = laterPart(() => import("../components/layout/renewal-banner.tsx"), "RenewalBanner");
const CallFoot = laterPart(() => import("../phone/in-call/call-foot.tsx"), "CallFoot");
const Toaster = laterPart(() => import("../ui/toaster.tsx"), "Toaster");

export function SignedInLayout() {
  const me = useQuery(meQuery);
  // Rendering the frame and the page is a lot of work. Deferring it splits it into slices, so that the skeleton keeps
  // animating.
  const known = useDeferredValue(me.data ?? null, null);
  if (known) return <Frame organisation={known.activeOrganisation} />;
  if (me.isPending || me.data) return <LayoutSkeleton />;
  if (!isSignedIn()) return <Leaving />;
  if (me.error instanceof ProblemError && me.error.status === 401) return <Navigate to="/login" />;
  return (
    <main>
      <MessageScreen
        title="Couldn’t load your account"
        action={
          <Button busy={me.isFetching} onClick={() => void me.refetch()}>
            Try again
          </Button>
        }
      >
        {problemDetail(me.error)}
      </MessageScreen>
    </main>
  );
}

function Leaving() {
  useEffect(() => leaveSignedOut("no-session"), []);
  return <LayoutSkeleton />;
}

function Frame({ organisation }: { organisation: User["activeOrganisation"] }) {
  useLiveEvents(organisation?.id ?? null);
  const page = useOrganisationOfPage(organisation);
  useQueriesFollowLiveEvents();
  useEffect(() => onSignedOutElsewhere(leaveSignedOutElsewhere), []);
  const settled = useLaterParts();
  const sidebar = useSidebar();
  const wide = useWide();
  return (
    <PageOrganisation value={page.organisation}>
      <PhoneProvider>
        <ScreensAhead />
        <div className="flex min-h-dvh">
          <SkipLink />
          <Sidebar {...sidebar} sheetFoot={<CallFoot />} />
          <div className="flex min-w-0 flex-1 flex-col">
            <Header {...sidebar} />
            <OfflineNotice />
            {settled ? <RenewalBanner /> : null}
            <Content key={page.key} />
            {page.asking && organisation && page.former ? (
              <SwitchedElsewhereDialog former={page.former} active={organisation} onBeginAnew={page.beginAnew} />
            ) : null}
            {page.lost ? <NoLongerMemberDialog former={page.lost} onClose={page.forgetLost} /> : null}
            <CallBar />
          </div>
          {settled ? <Toaster atTop={!wide} /> : null}
          <FollowUpReminders />
        </div>
      </PhoneProvider>
    </PageOrganisation>
  );
}

function ScreensAhead() {
  usePreloadedScreens({ inCall: isActive(usePhoneState().phase) });
  return null;
}

function Content() {
  const main = useRef<HTMLElement>(null);
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const shown = useRef(pathname);
  // The page renders one task after its frame, because both together would block a phone noticeably.
  const [framed, setFramed] = useState(false);
  useEffect(() => startTransition(() => setFramed(true)), []);
  useEffect(() => {
    // Moves the keyboard focus to a new page, so that Tab doesn't continue from the old link.
    if (shown.current !== pathname) main.current?.focus({ preventScroll: true });
    shown.current = pathname;
  }, [pathname]);
  return (
    <main ref={main} id="content" tabIndex={-1} className="flex-1 px-4 pt-4 pb-10 outline-none md:px-8 md:pt-6">
      <Breadcrumbs className="mb-3 md:hidden" />
      {framed ? <Outlet /> : null}
    </main>
  );
}
