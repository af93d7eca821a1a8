import { startSandboxCrm } from "@leadline/crm-sandbox/server";
import fastify from "fastify";
import { afterAll, expect, test } from "vitest";
import { countConsentRequest } from "../features/sessions/count-consent-request.ts";
import { randomAddress } from "../testing/test-app.ts";
import { testDatabase } from "../testing/test-database.ts";
import { answerProblems } from "./answer-problems.ts";
import { serveSandboxCrm } from "./serve-sandbox-crm.ts";

const database = testDatabase();
const app = fastify();
const sandbox = await startSandboxCrm({ file: null, publicUrl: null });
answerProblems(app);
serveSandboxCrm(app, sandbox, (ip) => countConsentRequest(database, ip));
afterAll(async () => {
  await app.close();
  await sandbox.close();
});

test("an address that asks for the sandbox CRM's consent page again and again is refused, and no other", async () => {
  const [busy, other] = [randomAddress(), randomAddress()];
  const ask = (remoteAddress: string) =>
    app.inject({ url: `${sandbox.browserPath}/services/oauth2/authorize`, remoteAddress });
  for (let asked = 0; asked < 200; asked += 50) await Promise.all(Array.from({ length: 50 }, () => ask(busy)));
  const refused = await ask(busy);
  expect(refused.statusCode).toBe(429);
  expect(refused.json().detail).toMatch(/^Too many attempts\. Try again in 1\d minutes\.$/);
  // It knows no app by that name, and says so on its page.
  expect((await ask(other)).statusCode).toBe(400);
});
