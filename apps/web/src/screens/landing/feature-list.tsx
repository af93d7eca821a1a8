import type { ReactNode } from "react";
import { Mark } from "../../ui/mark.tsx";

/** What Leadline does, as marks along the lead line. */
export function FeatureList() {
  return (
    <div className="relative pb-24">
      <div aria-hidden="true" className="absolute top-0 bottom-16 -left-2 flex w-10 flex-col items-center">
        <span className="w-[3px] flex-1 rounded-t-full bg-brass" />
        <Mark rope={false} className="-mt-0.5 h-8 w-10 text-brand" />
      </div>
      <Feature title="Carriers">
        <Text>
          A sandbox carrier with eleven simulated callees. One answers and speaks, one echoes what you say, one is
          always busy, one has voicemail. Real audio both ways, no contract, no cost.
        </Text>
        <Text>Any SIP trunk or phone system, to call real numbers and receive calls in every colleague’s browser.</Text>
        <Text>
          Or the API key of your account with a carrier: Leadline makes the trunk and buys numbers there, within a
          minute.
        </Text>
      </Feature>
      <Feature title="CRMs">
        <Text>
          Leads from Salesforce, HubSpot, Podio or a CSV file, right next to the phone, with their calls, notes,
          outcomes, files and callbacks. Each organisation has one log of all its calls.
        </Text>
      </Feature>
      <Feature title="Money">
        <Text>
          The software costs nothing. Your carrier bills you and Leadline keeps count, or calls draw on a prepaid
          balance and end when it’s used up.
        </Text>
      </Feature>
      <Feature title="Self-hosting" last>
        <Text>
          Two commands on one machine. A database is bundled, or use your own PostgreSQL. The code is MIT-licensed.
        </Text>
        <pre className="mt-2 w-fit max-w-full overflow-x-auto rounded-md bg-[#0f2236] px-5 py-4 text-table leading-6 text-[#e8edf2]">
          <code>
            <span className="text-[#e0b04c] select-none">$ </span>npm ci{"\n"}
            <span className="text-[#e0b04c] select-none">$ </span>npm start
          </code>
        </pre>
      </Feature>
    </div>
  );
}

function Feature({ title, last = false, children }: { title: string; last?: boolean; children: ReactNode }) {
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

function Text({ children }: { children: ReactNode }) {
  return <p className="text-base leading-7 text-pretty">{children}</p>;
}
