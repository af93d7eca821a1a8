import { beforeAll } from "vitest";

/** What is waited for in the page may take longer than a second where other suites have the processors. */
beforeAll(async () => {
  if (typeof document === "undefined") return;
  const { configure } = await import("@testing-library/dom");
  configure({ asyncUtilTimeout: 30_000 });
});
