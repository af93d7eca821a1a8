/** For jobs that send mail: a mail server may be down for hours. After that, people ask again. */
export const mailRetries = { retries: 12, firstWaitMs: 10_000 } as const;
