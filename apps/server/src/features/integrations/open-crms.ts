import type { Crm, CrmModule, CrmSandbox } from "@leadline/adapter-kit/crm";
import { StartRefused } from "../../config.ts";
import type { AdapterRoutes } from "../../http/serve-adapter-routes.ts";

export type CrmSandboxes = ReadonlyMap<string, CrmSandbox>;

export interface OpenCrm {
  module: CrmModule;
  crm: Crm;
}

export interface OpenCrms {
  /** In the order of the adapters' list. */
  all: readonly OpenCrm[];
  /** Null for a service that this installation can't connect to. */
  find(service: string): OpenCrm | null;
  /** The running sandboxes, by CRM. */
  sandboxes: CrmSandboxes;
  adapterRoutes: readonly AdapterRoutes[];
  close(): void;
}

/** Each adapter reads its own settings from the environment, so that vendor terms stay in its folder. */
export function openCrms(
  modules: readonly CrmModule[],
  options: { environment: Record<string, string | undefined>; sandboxes: CrmSandboxes },
): OpenCrms {
  const { environment, sandboxes } = options;
  const opened = new Map(
    modules.map((module) => {
      const settings = module.settings.safeParse(environment);
      if (!settings.success) {
        const sentences = settings.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}.`);
        throw new StartRefused(sentences.join("\n"));
      }
      const sandbox = sandboxes.get(module.id) ?? null;
      return [module.id, { module, crm: module.open(settings.data, { sandbox }) }] as const;
    }),
  );
  return {
    all: [...opened.values()],
    find: (service) => opened.get(service) ?? null,
    sandboxes,
    adapterRoutes: [...opened].map(([id, { crm }]) => ({ prefix: `/api/adapters/${id}`, routes: crm.routes ?? [] })),
    close: () => opened.forEach(({ crm }) => crm.close()),
  };
}
