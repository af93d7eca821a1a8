import { z } from "zod";
import { defineJob } from "../../../jobs/define-job.ts";
import { renewNumbers, type RenewalDeps } from "./renew-numbers.ts";

/** Frequent, because days start at different times in organisations' time zones. */
export const renewNumbersJob = (deps: Omit<RenewalDeps, "jobs">) =>
  defineJob({
    name: "renew-numbers",
    schema: z.object({}),
    cron: "*/10 * * * *",
    run: (_, jobs) => renewNumbers({ ...deps, jobs }),
  });
