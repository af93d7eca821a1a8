import { Link } from "@tanstack/react-router";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";

export function FirstSteps({ hasOrganisation, hasCalled }: { hasOrganisation: boolean; hasCalled: boolean }) {
  return (
    <section aria-labelledby="first-steps" className="overflow-hidden rounded-md border border-line bg-panel">
      <h2 id="first-steps" className="border-b border-line px-5 py-3 text-sm font-semibold">
        First steps
      </h2>
      <ol className="flex flex-col px-5 py-5">
        <Step
          done={hasOrganisation}
          title="Make an organisation"
          action={
            <Button asChild>
              <Link to="/settings/organisations/new">Create organisation</Link>
            </Button>
          }
        >
          Calls, numbers and the balance belong to one. It takes a name.
        </Step>
        <Step
          done={hasCalled}
          waiting={!hasOrganisation}
          last
          title="Place a test call"
          action={
            <Button asChild>
              <Link to="/calls">Open the dial pad</Link>
            </Button>
          }
        >
          Call <span className="font-medium whitespace-nowrap text-ink tabular-nums">+1 202 555 0100</span>: it answers
          and speaks. With <span className="font-medium whitespace-nowrap text-ink tabular-nums">…0101</span> you hear
          yourself. Both are simulated and cost nothing.
        </Step>
      </ol>
    </section>
  );
}

interface StepProps {
  done: boolean;
  /** Another step comes first. */
  waiting?: boolean;
  last?: boolean;
  title: string;
  action: ReactNode;
  children: ReactNode;
}

function Step({ done, waiting = false, last = false, title, action, children }: StepProps) {
  return (
    <li className="flex gap-4">
      <div aria-hidden="true" className="flex flex-col items-center">
        <span
          className={classNames(
            "grid size-6 shrink-0 place-items-center rounded-full border-2",
            done ? "border-brass bg-brass text-paper" : waiting ? "border-line" : "border-brass",
          )}
        >
          {done ? <Check className="size-3.5" strokeWidth={3} /> : null}
        </span>
        {last ? null : <span className={classNames("w-0.5 flex-1", done ? "bg-brass" : "bg-line")} />}
      </div>
      <div className={classNames("flex flex-1 flex-wrap items-start justify-between gap-3", last ? "" : "pb-7")}>
        <div className="min-w-[220px] flex-1">
          <p className={classNames("leading-6 font-semibold", done && "text-ink-soft line-through")}>
            {title}
            {done ? <span className="sr-only"> (done)</span> : null}
          </p>
          {done ? null : <p className="max-w-[56ch] text-pretty text-ink-soft">{children}</p>}
        </div>
        {done || waiting ? null : action}
      </div>
    </li>
  );
}
