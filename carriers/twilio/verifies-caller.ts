import { readVerstat } from "@leadline/adapter-kit/read-verstat";
import type { CallerVerification } from "@leadline/contract/caller-verification";

export const verifiesCaller = (headers: Record<string, string>): CallerVerification | null =>
  readVerstat(headers["x-twilio-verstat"]);
