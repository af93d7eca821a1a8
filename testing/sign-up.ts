import { randomInt, randomUUID } from "node:crypto";
import type { BrowserContext, Page } from "playwright-core";

export interface Person {
  email: string;
  password: string;
  token: string;
  refreshToken: string;
}

export const newCredentials = () => ({ email: `${randomUUID()}@example.com`, password: `sounding ${randomUUID()}` });

/** One request to a running app's API; throws the response if it isn't a success. */
export async function askAt(
  address: string,
  path: string,
  options: { method?: string; body?: object; token?: string; from?: string } = {},
) {
  const { method = options.body ? "POST" : "GET", body, token, from } = options;
  const answer = await fetch(`${address}/api${path}`, {
    method,
    headers: {
      ...(body && { "content-type": "application/json" }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(from && { "x-forwarded-for": from }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.status === 204 ? null : await answer.json();
}

/** From the range for benchmarks (RFC 2544, appendix C.2.2). */
const somebodysAddress = () => `198.18.${randomInt(256)}.${randomInt(1, 255)}`;

/**
 * Registers and logs in a user through the API, with an organisation if one is named. The app trusts a proxy on this
 * machine, so each user has a separate address and none runs into the registration limit.
 */
export async function signUp(address: string, options: { organisation?: string } = {}): Promise<Person> {
  const credentials = newCredentials();
  const person = { firstName: "Robin", lastName: "Sounder", ...credentials };
  await askAt(address, "/v1/register", { body: person, from: somebodysAddress() });
  const { token, refresh_token: refreshToken } = await askAt(address, "/v1/login", { body: credentials });
  if (options.organisation) {
    const { id } = await askAt(address, "/v1/organisations", { body: { name: options.organisation }, token });
    // Without hours it never closes, so no journey depends on the time of day.
    await askAt(address, `/v1/organisations/${id}`, { method: "PUT", body: { openingHours: [] }, token });
  }
  return { ...credentials, token, refreshToken };
}

/** A page of that user, logged in. The context's baseURL is the app's address. */
export async function openAs(context: BrowserContext, person: Person, path = "/calls"): Promise<Page> {
  const page = await context.newPage();
  // On the same origin, and without the app to load.
  await page.goto("/api/v1/login-options");
  await page.evaluate(
    ({ token, refreshToken }) => {
      localStorage.setItem("leadline.access-token", token);
      localStorage.setItem("leadline.refresh-token", refreshToken);
    },
    { token: person.token, refreshToken: person.refreshToken },
  );
  await page.goto(path);
  return page;
}
