import type { Call } from "@leadline/contract/calls";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { usePageOrganisation } from "../components/use-page-organisation.ts";
import { meQuery } from "../data/me-query.ts";
import { subscribeLiveEvent, useLiveConnectionState } from "../data/live-events.ts";
import { laterPart, useEver } from "../ui/later-part.tsx";
import { createPhone, type Phone } from "./call/create-phone.ts";
import { createRemoteAudio } from "./drivers/remote-audio.ts";
import { createWebRtcDriver } from "./drivers/create-webrtc-driver.ts";
import { AskBeforeLogout } from "./in-call/ask-before-logout.tsx";
import { CallAnnouncer } from "./in-call/call-announcer.tsx";
import { callNote } from "./in-call/call-note.ts";
import { useCallGuards } from "./in-call/use-call-guards.ts";
import { useCallKeys } from "./in-call/use-call-keys.ts";
import { useCallNotices } from "./in-call/use-call-notices.ts";
import { createCallMicrophone } from "./microphone/create-call-microphone.ts";
import { createDevices } from "./microphone/create-devices.ts";
import { PhoneContext, usePhone, usePhoneState } from "./phone-context.ts";
import { createPhoneSounds } from "./tones/phone-sounds.ts";

const StartFailedDialog = laterPart(() => import("./pad/start-failed-dialog.tsx"), "StartFailedDialog");

const OutsideHoursDialog = laterPart(() => import("./pad/outside-hours-dialog.tsx"), "OutsideHoursDialog");

const TransferDialog = laterPart(() => import("./transfer/transfer-dialog.tsx"), "TransferDialog");

const IncomingCall = laterPart(() => import("./incoming/incoming-call.tsx"), "IncomingCall");

let pagesPhone: Phone | null = null;

/** One per page, however often the layout mounts: the audio must outlive every screen. */
function phoneOfPage(): Phone {
  if (pagesPhone) return pagesPhone;
  const devices = createDevices();
  const driver = createWebRtcDriver(createRemoteAudio());
  const microphone = createCallMicrophone(driver, devices);
  pagesPhone = createPhone({ driver, devices, microphone, sounds: createPhoneSounds() });
  return pagesPhone;
}

export function PhoneProvider({ children }: { children: ReactNode }) {
  const phone = phoneOfPage();
  const userId = useQuery(meQuery).data?.id ?? null;
  const organisation = usePageOrganisation();
  // An analyst has no phone: nothing rings.
  const organisationId = organisation === null || organisation.role === "analyst" ? null : organisation.id;
  const connection = useLiveConnectionState();

  useEffect(() => {
    phone.setUser(userId);
    if (userId && !organisationId) phone.leave();
    if (!userId || !organisationId) return;
    void phone.loadLiveCall();
    const stopCalls = subscribeLiveEvent("call.updated", (call) => {
      phone.applyUpdate(call);
      if (call.direction === "inbound" && call.ringsFor === null) void notifyOfMissed(call);
    });
    const stopResets = subscribeLiveEvent("reset", () => void phone.loadLiveCall());
    return () => {
      stopCalls();
      stopResets();
    };
  }, [phone, userId, organisationId]);

  // The stream starts now: a call that rang after the list was read and before the stream opened is in neither.
  useEffect(() => {
    if (connection === "open" && userId && organisationId) void phone.loadLiveCall();
  }, [phone, connection, userId, organisationId]);

  return (
    <PhoneContext value={phone}>
      <CallGuards />
      <AskBeforeLogout />
      <CallAnnouncer />
      <StartFailed />
      <OutsideHours />
      <Incoming />
      <Transfer />
      {children}
    </PhoneContext>
  );
}

/** Not needed for the first paint; the reports reach it in order. */
const notifyOfMissed = (call: Call): Promise<void> =>
  import("./incoming/notify-of-missed-call.ts")
    .then(({ notifyOfMissedCall }) => notifyOfMissedCall(call))
    .catch(() => {});

function Incoming() {
  const { incoming } = usePhone();
  return useEver(useSyncExternalStore(incoming.subscribe, incoming.list).length > 0) ? <IncomingCall /> : null;
}

function StartFailed() {
  return useEver(usePhoneState().startFailure !== null) ? <StartFailedDialog /> : null;
}

function OutsideHours() {
  return useEver(usePhoneState().asksOutsideHours !== null) ? <OutsideHoursDialog /> : null;
}

/** One per call: what was typed for another call isn't kept. */
function Transfer() {
  const { transferOpen, call } = usePhoneState();
  return useEver(transferOpen !== null) ? <TransferDialog key={call?.callSid} /> : null;
}

function CallGuards() {
  const state = usePhoneState();
  const router = useRouter();
  useEffect(
    () =>
      callNote.onWanted(() => {
        if (router.state.location.pathname !== "/calls") void router.navigate({ to: "/calls" });
      }),
    [router],
  );
  useCallGuards(state);
  useCallKeys();
  useCallNotices(state.call);
  return null;
}
