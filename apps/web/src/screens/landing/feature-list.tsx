import type { ReactNode } from "react";
import { Badge } from "../../ui/badge.tsx";
import { Mark } from "../../ui/mark.tsx";

/** What there is and what is planned, hung along the rope at its marks. */
export function Soundings() {
  return (
    <div className="relative pb-24">
      <div aria-hidden="true" className="absolute top-0 bottom-16 -left-2 flex w-10 flex-col items-center">
        <span className="w-[3px] flex-1 rounded-t-full bg-brass" />
        <Mark rope={false} className="-mt-0.5 h-8 w-10 text-brand" />
      </div>
      <Sounding title="Carriers">
        <Line state="now">
          A sandbox carrier with eleven simulated callees. One answers and speaks, one echoes what you say, one is
          always busy, one has voicemail. Real audio both ways, no contract, no cost.
        </Line>
        <Line state="now">
          Any SIP trunk or phone system, to call real numbers and receive calls in every colleague’s browser.
        </Line>
        <Line state="planned">Twilio, for numbers and calls from one account.</Line>
      </Sounding>
      <Sounding title="CRMs">
        <Line state="now">
          Leads from Salesforce, HubSpot, Podio or a CSV file, right next to the phone, with their calls, notes,
          outcomes, files and callbacks. Each organisation has one log of all its calls.
        </Line>
      </Sounding>
      <Sounding title="Money">
        <Line state="now">
          The software costs nothing. Your carrier bills you and Leadline keeps count, or calls draw on a prepaid
          balance and end when it’s used up.
        </Line>
      </Sounding>
      <Sounding title="Self-hosting" last>
        <Line state="now">
          Two commands on one machine. A database is bundled, or use your own PostgreSQL. The code is MIT-licensed.
        </Line>
        <pre className="mt-2 w-fit md:ml-[92px] max-w-full overflow-x-auto rounded-md bg-[#0f2236] px-5 py-4 text-table leading-6 text-[#e8edf2]">
          <code>
            <span className="text-[#e0b04c] select-none">$ </span>npm ci{"\n"}
            <span className="text-[#e0b04c] select-none">$ </span>npm start
          </code>
        </pre>
      </Sounding>
    </div>
  );
}

function Sounding({ title, last = false, children }: { title: string; last?: boolean; children: ReactNode }) {
  return (
    <section
      className={`relative grid gap-x-16 gap-y-4 pl-14 md:grid-cols-[220px_1fr] md:pl-20 ${last ? "pb-14" : "pb-16"}`}
    >
      <span aria-hidden="true" className="absolute top-3.5 left-3 h-0.5 w-6 bg-brass md:w-10" />
      <h2 className="text-[22px] leading-8 font-semibold tracking-[-0.015em]">{title}</h2>
      <div className="flex max-w-[620px] flex-col gap-4">{children}</div>
    </section>
  );
}

function Line({ state, children }: { state: "now" | "planned"; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 gap-y-1.5 md:grid-cols-[76px_1fr]">
      <Badge tone={state === "now" ? "brand" : "plain"} className="mt-0.5 w-fit">
        {state === "now" ? "Today" : "Planned"}
      </Badge>
      <p className={`text-base leading-7 text-pretty ${state === "planned" ? "text-ink-soft" : ""}`}>{children}</p>
    </div>
  );
}
