/** For a job that sends a mail: a mail server may be away for some hours, and whoever waits asks again after that. */
export const mailRetries = { retries: 12, firstWaitMs: 10_000 } as const;
