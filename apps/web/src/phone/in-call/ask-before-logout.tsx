import { useBlocker } from "@tanstack/react-router";
import { useEffect } from "react";
import { laterPart } from "../../ui/later-part.tsx";
import { isActive } from "../call/call-phase.ts";
import { usePhone, usePhoneState } from "../phone-context.ts";

const LogoutInCallDialog = laterPart(() => import("./logout-in-call-dialog.tsx"), "LogoutInCallDialog");

/** Logging out hangs up: asks the rep first, wherever they log out. */
export function AskBeforeLogout() {
  const phone = usePhone();
  const inCall = isActive(usePhoneState().phase);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ next }) => next.pathname === "/logout" && isActive(phone.getState().phase),
    enableBeforeUnload: false,
    withResolver: true,
  });
  const isAsked = status === "blocked";
  useEffect(() => {
    // The call ended while the question was open: there is nothing to ask any more.
    if (isAsked && !inCall) proceed();
  }, [isAsked, inCall, proceed]);
  return isAsked && inCall ? <LogoutInCallDialog onStay={reset} onLogout={proceed} /> : null;
}
