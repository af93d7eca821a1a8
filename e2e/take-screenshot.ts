/** Draws docs/screenshot.png: `npm run screenshot`. The real app, in a real call, as a person sees it. */
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { dial, hangUp, untilAnswered } from "./support/dial.ts";
import { openBrowser } from "./support/open-browser.ts";
import { startApp } from "./support/start-app.ts";

const app = await startApp();
const browser = await openBrowser();
try {
  const page = await browser.newPage({ baseURL: app.address, viewport: { width: 1280, height: 800 } });
  const person = { firstName: "Bob", lastName: "Stone", email: "bob@example.com", password: "a line and a lead" };
  const send = (path: string, data: object, token = "") =>
    page.request.post(`/api${path}`, { data, headers: token ? { authorization: `Bearer ${token}` } : {} });
  await send("/v1/register", person);
  const { token, refresh_token: refreshToken } = await (await send("/v1/login", person)).json();
  await send("/v1/organisations", { name: "Harbour Tools" }, token);
  await page.goto("/health");
  await page.evaluate(
    ([access, refresh]) => {
      localStorage.setItem("leadline.access-token", access ?? "");
      localStorage.setItem("leadline.refresh-token", refresh ?? "");
    },
    [token, refreshToken],
  );
  await page.goto("/calls");
  await dial(page, "+12025550100");
  await untilAnswered(page);
  await sleep(3_000);
  await hangUp(page);
  await dial(page, "+12025550108");
  await untilAnswered(page);
  await page.getByRole("button", { name: "Hide" }).click();
  await sleep(7_000);
  await page.screenshot({ path: fileURLToPath(new URL("../docs/screenshot.png", import.meta.url)) });
} finally {
  await browser.close();
  await app.stop();
}
