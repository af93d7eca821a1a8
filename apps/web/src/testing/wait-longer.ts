/** What is waited for in the page may take longer than a second where other suites have the processors. */
if (typeof document !== "undefined") {
  const { configure } = await import("@testing-library/dom");
  configure({ asyncUtilTimeout: 10_000 });
}
export {};
