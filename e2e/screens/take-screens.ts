/** Takes docs/screens/ and docs/screenshot.png: `npm run screens`. The real app with a demo team's content. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CrmServiceDescription } from "@leadline/contract/integrations";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { openDatabase } from "../../apps/server/src/db/database.ts";
import { startEmbeddedPostgres } from "../../apps/server/src/db/embedded/start-embedded-postgres.ts";
import { createLog } from "../../apps/server/src/log.ts";
import { openBrowser } from "../../testing/open-browser.ts";
import { askAt, openAs, type Person, signUp } from "../../testing/sign-up.ts";
import { startApp } from "../../testing/start-app.ts";
import { type DemoWorld, makeDemoContent } from "./demo-content.ts";
import { type CrmScreens, sharedNumber, signedInScreens } from "./screen-list.ts";
import { closedScreens, newcomerScreens, publicScreens, type Screen } from "./screens-of-strangers.ts";

const docs = fileURLToPath(new URL("../../docs/", import.meta.url));
const folder = join(docs, "screens");
/** `npm run screens -- 'calls|leads'` only takes pictures with a matching name, and keeps the rest. */
const only = new RegExp(process.argv[2] ?? "");
const sizes = { 1280: { width: 1280, height: 800 }, 375: { width: 375, height: 740 } } as const;
const looks = (["light", "dark"] as const).flatMap((colorScheme) =>
  ([1280, 375] as const).map((width) => ({ colorScheme, width })),
);
type Look = (typeof looks)[number];

const fileOf = ({ name }: Screen, { width, colorScheme }: Look): string => `${name}-${width}-${colorScheme}.webp`;

/** WebP by Chromium itself, which Playwright doesn't offer: a quarter of a PNG's size. */
async function draw(page: Page, file: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 72 });
  writeFileSync(join(folder, file), Buffer.from(data, "base64"));
  await session.detach();
}

/** Waits until the page is complete and nothing moves except endless animations. */
async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(300);
  await page.waitForFunction(() => !document.querySelector("[data-skeleton], .animate-pulse, .animate-breathe"));
  await page.evaluate(async () => {
    const ends = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ends.map((one) => one.finished));
  });
  await page.waitForTimeout(200);
}

async function drawAll(page: Page, screens: Screen[], look: Look): Promise<void> {
  for (const screen of screens.filter(({ name }) => only.test(name))) {
    if (screen.path !== undefined) await page.goto(screen.path);
    await page.locator("main, [role=main], #app > *").first().waitFor();
    await settle(page);
    await screen.act?.(page);
    if (screen.act) await settle(page);
    await page.mouse.move(0, 0);
    await draw(page, fileOf(screen, look));
    if (screen.name === "call" && look.width === 1280 && look.colorScheme === "light")
      await page.screenshot({ path: join(docs, "screenshot.png") });
  }
}

async function connectCrm(page: Page, service: string, label: string): Promise<void> {
  await page.goto("/integrations/new");
  await page.getByRole("combobox", { name: "Service" }).click();
  await page.getByRole("option", { name: service }).click();
  await page.getByRole("textbox", { name: "Label" }).fill(label);
  await page.getByRole("button", { name: "Use the sandbox" }).click();
  await page.getByRole("button", { name: "Add integration" }).click();
  const row = page.getByRole("row").filter({ hasText: label });
  await row.getByRole("button", { name: "Connect", exact: true }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("link", { name: "Go now" }).click();
}

/** Connects a synced CRM, one without a source yet, and a lead entered by hand with the same number as a CRM lead. */
async function connectCrms(page: Page, { person }: DemoWorld): Promise<CrmScreens> {
  const ask = (path: string, body?: object) => askAt(address, path, { token: person.token, ...(body && { body }) });
  const services: CrmServiceDescription[] = await ask("/v1/integrations/services");
  const nameWhere = (choosesSource: boolean) => services.find((one) => one.choosesSource === choosesSource)?.name ?? "";
  await connectCrm(page, nameWhere(false), "Harbour sales");
  await page.getByRole("button", { name: "Sync", exact: true }).click();
  await page.getByText("Successfully synced leads.").waitFor();
  await connectCrm(page, nameWhere(true), "Boat show");
  const integrations: { id: string; label: string }[] = await ask("/v1/integrations");
  const idOf = (label: string) => integrations.find((one) => one.label === label)?.id ?? "";
  const synced = idOf("Harbour sales");
  const [run] = await ask(`/v1/integrations/${synced}/syncs`);
  const other = { firstName: "Isla", lastName: "Crane", email: "isla@crane.example", phone: sharedNumber };
  await ask("/v1/leads", other);
  return {
    sourcePath: `/integrations/${idOf("Boat show")}/source`,
    runPath: `/integrations/${synced}/syncs/${run.id}`,
  };
}

const dataDir = mkdtempSync(join(tmpdir(), "leadline-screens-"));
const databaseDir = mkdtempSync(join(tmpdir(), "leadline-screens-database-"));
const postgres = await startEmbeddedPostgres({ dataDir: databaseDir }, createLog("warn"));
const running = await startApp({ env: { DATABASE_URL: postgres.url, DATA_DIR: dataDir } });
const { address } = running;
const closed = await startApp({ env: { REGISTRATION: "invite-only" } });
const database = openDatabase(postgres.url, createLog("warn"), { maxConnections: 2 });
const browser = await openBrowser();
mkdirSync(folder, { recursive: true });

const profile = (from: Browser, { colorScheme, width }: Look, timezoneId?: string): Promise<BrowserContext> =>
  from.newContext({
    baseURL: address,
    viewport: sizes[width],
    colorScheme,
    locale: "en-GB",
    permissions: ["microphone"],
    ...(timezoneId === undefined ? {} : { timezoneId }),
  });

async function drawLook(look: Look, world: DemoWorld & CrmScreens, newcomer: Person): Promise<void> {
  const stranger = await profile(browser, look);
  await drawAll(await stranger.newPage(), publicScreens, look);
  const uninvited = await browser.newContext({
    baseURL: closed.address,
    viewport: sizes[look.width],
    colorScheme: look.colorScheme,
  });
  await drawAll(await uninvited.newPage(), closedScreens, look);
  const first = await profile(browser, look);
  await drawAll(await openAs(first, newcomer), newcomerScreens, look);
  const colleague = await profile(browser, look);
  await openAs(colleague, world.colleague, "/dashboard");
  const member = await profile(browser, look, world.timeZone);
  const page = await openAs(member, world.person);
  await drawAll(page, signedInScreens(world), look);
  await Promise.all([stranger, uninvited, first, colleague, member].map((context) => context.close()));
}

try {
  const team = await makeDemoContent({ address, dataDir, database });
  const newcomer = await signUp(address, {});
  await askAt(address, "/v1/organisations", { body: { name: "Pilot House" }, token: newcomer.token });
  const first = await profile(browser, { colorScheme: "light", width: 1280 }, team.timeZone);
  const world = { ...team, ...(await connectCrms(await openAs(first, team.person), team)) };
  await first.close();
  for (const look of looks) await drawLook(look, world, newcomer);
  const all = [...publicScreens, ...closedScreens, ...newcomerScreens, ...signedInScreens(world)];
  const lines = all.map((screen) => {
    const links = looks.map((look) => `[${look.width} ${look.colorScheme}](${fileOf(screen, look)})`);
    return `- ${screen.shows}: ${links.join(", ")}`;
  });
  const head = "# Every screen\n\nDrawn by `npm run screens` from the real app, with a demo team's content.\n\n";
  writeFileSync(join(folder, "README.md"), `${head}${lines.join("\n")}\n`);
} finally {
  await browser.close();
  await database.close();
  await Promise.all([running.stop(), closed.stop()]);
  await postgres.stop();
  for (const dir of [dataDir, databaseDir]) rmSync(dir, { recursive: true, force: true });
}
