import type { TestProject } from "vitest/node";
import { findChromium } from "./find-chromium.ts";
import { startApp } from "./start-app.ts";

declare module "vitest" {
  export interface ProvidedContext {
    appAddress: string;
  }
}

/** One app for the whole run; the browser is unpacked while it starts. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const [app] = await Promise.all([startApp(), findChromium()]);
  project.provide("appAddress", app.address);
  return () => app.stop();
}
