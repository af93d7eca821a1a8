import { expect, test } from "vitest";
import { testApp } from "../../testing/test-app.ts";

const app = testApp();

test("an international address is shown as written, signs in in any spelling, and is the same in all of them", async () => {
  const local = `jürgen-${crypto.randomUUID()}`;
  const [written, plain] = [`${local}@bücher.example`, `${local}@xn--bcher-kva.example`];
  const password = "correct horse battery";
  const person = { firstName: "Jürgen", lastName: "Tester", password };
  expect((await app.ask("POST", "/v1/register", { body: { ...person, email: written } })).statusCode).toBe(201);
  expect((await app.ask("POST", "/v1/register", { body: { ...person, email: plain } })).statusCode).toBe(409);
  for (const email of [written, plain]) {
    const { token } = (await app.ask("POST", "/v1/login", { body: { email, password } })).json();
    const shown = (await app.ask("GET", "/v1/users/me", { token })).json();
    expect(shown.email).toBe(written);
    // Sending it back unchanged isn't a change of address, which would require the password.
    const body = { firstName: "Jörg", email: shown.email };
    expect((await app.ask("PUT", `/v1/users/${shown.id}`, { token, body })).statusCode).toBe(200);
  }
});
