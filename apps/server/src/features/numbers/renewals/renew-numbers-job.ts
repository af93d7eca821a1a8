import { z } from "zod";
import { defineJob } from "../../../jobs/define-job.ts";
import { renewNumbers, type RenewalDeps } from "./renew-numbers.ts";

/** Often, as days begin at another time in each organisation's time zone. */
export const renewNumbersJob = (deps: Omit<RenewalDeps, "jobs">) =>
  defineJob({
    name: "renew-numbers",
    schema: z.object({}),
    cron: "*/10 * * * *",
    run: (_, jobs) => renewNumbers({ ...deps, jobs }),
  });
