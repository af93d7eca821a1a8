import type { PaymentModule, PaymentReport } from "@leadline/adapter-kit/payment";
import * as contract from "@leadline/contract/top-ups";
import type { FastifyRequest } from "fastify";
import type { AdapterRoutes } from "../../http/serve-adapter-routes.ts";
import { type Route, route } from "../../http/route.ts";
import { runEvery } from "../../run-every.ts";
import { changeBalanceSettings, getBalanceSettings } from "./automatic/balance-settings.ts";
import { startAutomaticTopUps } from "./automatic/start-automatic-top-ups.ts";
import { cancelTopUp } from "./cancel-top-up.ts";
import type { AlertOwners } from "../members/alert-owners.ts";
import { receiptRoutes } from "../receipts/receipts.routes.ts";
import { getTopUp, listTopUps } from "./list-top-ups.ts";
import { openPayments } from "./open-payments.ts";
import { resumeTopUps } from "./resume-top-ups.ts";
import { receiveReport } from "./settle-top-up.ts";
import { startTopUp } from "./start-top-up.ts";
import type { TopUpDeps } from "./top-up-deps.ts";

export interface OpenTopUps {
  routes: readonly Route[];
  /** Routes that payment providers serve, such as webhooks. */
  adapterRoutes: readonly AdapterRoutes[];
  /** Until it is closed, completes top-ups that a killed process or an unresponsive provider left open. */
  run(): { close(): Promise<void> };
}

const everyMs = 30_000;

export function openTopUps({
  modules,
  environment,
  dataDir,
  publicUrl,
  alertOwners,
  ...given
}: Omit<TopUpDeps, "payments"> & {
  modules: readonly PaymentModule[];
  environment: Record<string, string | undefined>;
  dataDir: string;
  publicUrl: URL | null;
  alertOwners: AlertOwners;
}): OpenTopUps {
  const onReport = (report: PaymentReport) => receiveReport(deps, report);
  const payments = openPayments(modules, { environment, dataDir, onReport, log: given.log });
  const deps: TopUpDeps = { ...given, payments };
  const originOf = (request: FastifyRequest): string => publicUrl?.origin ?? `${request.protocol}://${request.host}`;
  return {
    routes: [
      ...receiptRoutes(given),
      route(contract.listTopUps, ({ caller, query }) => listTopUps(deps, caller, query)),
      route(contract.getBalanceSettings, ({ caller }) => getBalanceSettings(deps, caller)),
      route(contract.updateBalanceSettings, ({ caller, body }) =>
        changeBalanceSettings({ ...deps, alertOwners }, caller, body),
      ),
      route(contract.getTopUp, ({ caller, params }) => getTopUp(deps, caller, params.id)),
      route(contract.cancelTopUp, ({ caller, params }) => cancelTopUp(deps, caller, params.id)),
      route(contract.startTopUp, ({ caller, body, headers, request }) =>
        startTopUp(deps, {
          caller,
          ...body,
          idempotencyKey: headers["idempotency-key"],
          origin: originOf(request),
        }),
      ),
    ],
    adapterRoutes: payments.adapterRoutes,
    run() {
      const resume = async (): Promise<void> => {
        await resumeTopUps(deps, { soonMs: everyMs });
        await startAutomaticTopUps(deps);
      };
      const onError = (error: unknown) => deps.log.error({ err: error }, "top-ups could not be resumed");
      return { close: runEvery(resume, { everyMs, atOnce: true, onError }) };
    },
  };
}
