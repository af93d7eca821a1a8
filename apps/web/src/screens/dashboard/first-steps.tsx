import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Check } from "lucide-react";
import { useCallsSandbox } from "../../components/use-other-carrier.ts";
import { usePhone } from "../../phone/phone-context.ts";
import { Button } from "../../ui/button.tsx";
import type { StepState } from "./use-first-steps.ts";

export function FirstSteps({ steps }: { steps: readonly StepState[] }) {
  const next = steps.findIndex(({ done }) => !done);
  return (
    <section aria-labelledby="first-steps" className="overflow-hidden rounded-md border border-line bg-panel">
      <h2 id="first-steps" className="border-b border-line px-5 py-3 text-sm font-semibold">
        First steps
      </h2>
      <ol className="flex flex-col px-5 py-5">
        {steps.map((state, index) => (
          <Step key={state.step.title} {...state} isNext={index === next} isLast={index === steps.length - 1} />
        ))}
      </ol>
    </section>
  );
}

function Step({ step, done, isNext, isLast }: StepState & { isNext: boolean; isLast: boolean }) {
  const phone = usePhone();
  const dials = useCallsSandbox() ? step.action.dials : undefined;
  return (
    <li className="flex gap-4">
      <div aria-hidden="true" className="flex flex-col items-center">
        <span
          className={clsx(
            "grid size-6 shrink-0 place-items-center rounded-full border-2",
            done ? "border-brass bg-brass text-paper" : isNext ? "border-brass" : "border-line",
          )}
        >
          {done ? <Check className="size-3.5" strokeWidth={3} /> : null}
        </span>
        {isLast ? null : <span className={clsx("w-0.5 flex-1", done ? "bg-brass" : "bg-line")} />}
      </div>
      <div className={clsx("flex flex-1 flex-wrap items-start justify-between gap-3", isLast ? "" : "pb-7")}>
        <div className="min-w-[220px] flex-1">
          <p className={clsx("leading-6 font-semibold", done && "text-ink-soft line-through")}>
            {step.title}
            {done ? <span className="sr-only"> (done)</span> : null}
          </p>
          {done ? null : <p className="max-w-[56ch] text-pretty text-ink-soft">{step.text}</p>}
        </div>
        {isNext ? (
          <Button asChild>
            <Link to={step.action.to} onClick={() => dials && phone.setPadText(dials)}>
              {step.action.label}
            </Link>
          </Button>
        ) : null}
      </div>
    </li>
  );
}
