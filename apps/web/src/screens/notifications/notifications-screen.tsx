import type { ReactNode } from "react";
import { PageHeader } from "../../components/page-header.tsx";
import { BrowserNotices } from "./browser-notices.tsx";
import { NoticeSwitch } from "./notice-switch.tsx";

export function NotificationsScreen() {
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader title="Notifications" lead="How Leadline gets your attention in this browser." />
      <Part title="Sounds" lead="Sounds that the phone plays.">
        <NoticeSwitch name="key-sounds" label="Dial pad keys" />
        <NoticeSwitch name="dialing-sound" label="Dialing, until the call is answered" />
        <NoticeSwitch name="ringing-sound" label="Ringing, for incoming calls" />
        <NoticeSwitch name="call-sounds" label="Mute, unmute and the end of a call" />
      </Part>
      <Part title="Browser notifications" lead="When you’re in another tab or window.">
        <BrowserNotices />
      </Part>
    </div>
  );
}

function Part({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <section
      aria-label={title}
      className="grid gap-x-10 gap-y-4 border-t border-line pt-6 pb-2 md:grid-cols-[260px_440px]"
    >
      <div>
        <h2 className="font-semibold">{title}</h2>
        <p className="mt-0.5 text-table text-pretty text-ink-soft">{lead}</p>
      </div>
      <div className="flex max-w-[440px] flex-col items-start gap-2">{children}</div>
    </section>
  );
}
