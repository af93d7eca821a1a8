import type { CrmGrant, CrmLimit, CrmSandbox } from "@leadline/adapter-kit/crm";
import { z } from "zod";
import { type Api, ApiRefusal, limitWindowMs } from "./api.ts";
import { instanceOf, restPath } from "./rest-path.ts";

const Limits = z.object({
  DailyApiRequests: z.object({ Max: z.int().positive(), Remaining: z.int().nonnegative() }),
});

/** From the latest response, or else from the resource Limits, which not every user may read. */
export function createLimitReader(api: Api, sandbox: CrmSandbox | null) {
  return async (grant: CrmGrant): Promise<CrmLimit | null> => {
    const { accessToken } = grant;
    const known = api.limits.read(accessToken);
    if (known !== null) return known;
    const url = new URL(restPath("limits"), instanceOf(grant, sandbox?.domain ?? null));
    try {
      const { DailyApiRequests: daily } = (await api.getJson(Limits, { url, accessToken })).body;
      return { left: daily.Remaining, most: daily.Max, windowMs: limitWindowMs };
    } catch (error) {
      if (error instanceof ApiRefusal) return null;
      throw error;
    }
  };
}
