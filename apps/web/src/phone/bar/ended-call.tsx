import type { Call } from "@leadline/contract/calls";
import { Link } from "@tanstack/react-router";
import { NotebookPen, Phone, X } from "lucide-react";
import { costIfAny } from "../../components/cost-label.ts";
import { formatDuration } from "../../components/format-time.ts";
import { leadOfCall } from "../../components/lead-names.ts";
import { Button } from "../../ui/button.tsx";
import { useTakeLostFocus } from "../../ui/use-take-lost-focus.ts";
import { useEndedLabel } from "../in-call/use-ended-label.ts";
import { useOtherEnd } from "../numbers/use-other-end.ts";
import { usePhone } from "../phone-context.ts";
import { barButtonLook } from "./bar-button-look.ts";

/** How the call ended, until it is dismissed: otherwise a busy call would be gone before anyone could read why. */
export function EndedCall({ call }: { call: Call }) {
  const phone = usePhone();
  const place = useTakeLostFocus();
  const number = useOtherEnd(call);
  const words = useEndedLabel();
  return (
    <>
      <div ref={place} tabIndex={-1} className="min-w-0 flex-1 basis-60 outline-none max-md:basis-full">
        <p className="text-sm font-semibold text-pretty">{words}</p>
        <p className="truncate text-table text-ink-soft tabular-nums">
          {[
            leadOfCall(call.leads) ?? number,
            call.durationMs > 0 ? formatDuration(call.durationMs) : null,
            costIfAny(call),
          ]
            .filter(Boolean)
            .join(" · ")}
        </p>
      </div>
      <div className="flex items-center gap-1.5 max-md:w-full">
        {call.phoneNumber === "" ? null : (
          <Button className={barButtonLook} tone="plain" onClick={() => void phone.start(call.phoneNumber)}>
            <Phone aria-hidden="true" className="text-call" />
            {call.direction === "outbound" ? "Call again" : "Call back"}
          </Button>
        )}
        <Button className={barButtonLook} asChild tone="plain">
          <Link to="/calls">
            <NotebookPen aria-hidden="true" />
            <span>
              Note<span className="max-md:sr-only"> and outcome</span>
            </span>
          </Link>
        </Button>
        <Button className={barButtonLook} tone="quiet" onClick={phone.dismiss}>
          <X aria-hidden="true" />
          Dismiss
        </Button>
      </div>
    </>
  );
}
