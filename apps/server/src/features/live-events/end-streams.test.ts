import { expect, test } from "vitest";
import { openEventStream } from "../../testing/open-event-stream.ts";
import { makeOrganisation, registerPerson, testApp } from "../../testing/test-app.ts";

const app = testApp();

test("a stream that opens while the server stops ends at once, so that the server doesn't wait for it", async () => {
  const origin = await app.http.listen({ port: 0, host: "127.0.0.1" });
  const person = await registerPerson(app);
  await makeOrganisation(app, person);
  app.liveEvents.endStreams();
  const stream = await openEventStream(origin, { token: person.token });
  await stream.ended;
  expect(app.liveEvents.openStreams.count(person.id)).toBe(0);
});
