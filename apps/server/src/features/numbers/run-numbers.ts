import type { Route } from "../../http/route.ts";
import type { NumberDeps } from "./number-deps.ts";
import { phoneNumberRoutes } from "./phone-numbers.routes.ts";
import { resumeOrders } from "./resume-orders.ts";

const everyMs = 30_000;

/** Takes up the orders that killed processes left, at once, and those that a silent carrier left, every half minute. */
export function runNumbers(deps: NumberDeps): { routes: readonly Route[]; close(): Promise<void> } {
  let running: Promise<void> | null = null;
  const resume = (olderThanMs: number): void => {
    running ??= resumeOrders(deps, { olderThanMs })
      .catch((error: unknown) => deps.log.error({ err: error }, "number orders could not be taken up"))
      .finally(() => (running = null));
  };
  resume(0);
  const timer = setInterval(() => resume(everyMs), everyMs);
  timer.unref();
  return {
    routes: phoneNumberRoutes(deps),
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}
