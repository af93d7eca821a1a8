import fastify from "fastify";
import { afterAll, expect, test } from "vitest";
import { countConsentRequest } from "../features/sessions/count-consent-request.ts";
import { randomAddress } from "../testing/test-app.ts";
import { startSandboxCrms } from "../start/start-sandbox-crms.ts";
import { testDatabase } from "../testing/test-database.ts";
import { answerProblems } from "./answer-problems.ts";
import { serveSandboxCrm } from "./serve-sandbox-crm.ts";

const database = testDatabase();
const app = fastify();
const sandboxes = [...(await startSandboxCrms({ dataDir: null, publicUrl: null })).values()];
answerProblems(app);
for (const sandbox of sandboxes) serveSandboxCrm(app, sandbox, (ip) => countConsentRequest(database, ip));
afterAll(async () => {
  await app.close();
  await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
});

const consentPages = sandboxes.map(({ browserPath, authorisePath }) => browserPath + authorisePath);

test.each(consentPages)("an address that asks for %s again and again is refused, and no other", async (url) => {
  const [busy, other] = [randomAddress(), randomAddress()];
  const ask = (remoteAddress: string) => app.inject({ url, remoteAddress });
  for (let asked = 0; asked < 200; asked += 50) await Promise.all(Array.from({ length: 50 }, () => ask(busy)));
  const refused = await ask(busy);
  expect(refused.statusCode).toBe(429);
  expect(refused.json().detail).toMatch(/^Too many attempts\. Try again in 1\d minutes\.$/);
  // It knows no app by that name, and says so on its page.
  expect((await ask(other)).statusCode).toBe(400);
});
