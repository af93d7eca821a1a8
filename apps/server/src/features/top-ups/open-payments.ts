import type { PaymentModule, PaymentProvider, PaymentReport } from "@leadline/adapter-kit/payment";
import { StartRefused } from "../../config.ts";
import type { Log } from "../../log.ts";
import type { AdapterRoutes } from "../../http/serve-adapter-routes.ts";

export interface OpenPayment {
  module: Pick<PaymentModule, "id" | "name">;
  provider: PaymentProvider;
}

export interface OpenPayments {
  /** The provider for new payments: the first one that the settings enable. Null if there is none. */
  inUse: OpenPayment | null;
  /** Includes providers of earlier payments, while their settings exist. */
  find(id: string): OpenPayment | undefined;
  ids: readonly string[];
  adapterRoutes: readonly AdapterRoutes[];
}

/** Each adapter reads its own settings from the environment, so that provider terms stay in its folder. */
export function openPayments(
  modules: readonly PaymentModule[],
  options: {
    environment: Record<string, string | undefined>;
    dataDir: string | null;
    onReport: (report: PaymentReport) => Promise<void>;
    log: Pick<Log, "info">;
  },
): OpenPayments {
  const { environment, dataDir, onReport, log } = options;
  const opened = modules.flatMap((module): OpenPayment[] => {
    const settings = module.settings.safeParse(environment);
    if (!settings.success) {
      const sentences = settings.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}.`);
      throw new StartRefused(sentences.join("\n"));
    }
    const provider = module.open(settings.data, { onReport, dataDir });
    return provider === null ? [] : [{ module, provider }];
  });
  const inUse = opened[0] ?? null;
  if (inUse && !inUse.provider.movesMoney)
    log.info({ provider: inUse.module.name }, "top-ups add to balances without a payment; see docs/PAYMENTS.md");
  // Its checkouts can no longer be paid once a real provider is in use.
  const isServed = ({ provider }: OpenPayment): boolean => provider.movesMoney || !inUse?.provider.movesMoney;
  return {
    inUse,
    find: (id) => opened.find(({ module }) => module.id === id),
    ids: opened.map(({ module }) => module.id),
    adapterRoutes: opened.filter(isServed).map(({ module, provider }) => ({
      prefix: `/api/adapters/${module.id}`,
      routes: provider.routes,
    })),
  };
}
