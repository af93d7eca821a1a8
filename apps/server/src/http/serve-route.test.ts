import { once } from "node:events";
import { connect } from "node:net";
import * as outcomes from "@leadline/contract/call-outcomes";
import * as health from "@leadline/contract/health";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "../log.ts";
import { createHttpServer } from "./create-http-server.ts";
import { type Route, route } from "./route.ts";

async function serve(served: Route) {
  const app = await createHttpServer({
    routes: [served],
    endpoints: { it: served.endpoint },
    log: createLog("silent"),
    authenticate: async () => ({
      userId: crypto.randomUUID(),
      sessionId: crypto.randomUUID(),
      organisation: { id: crypto.randomUUID(), role: "owner" },
    }),
  });
  onTestFinished(() => app.close());
  return app;
}

test("work for a client that has disconnected is aborted, and work that was answered is not", async () => {
  const began = Promise.withResolvers<AbortSignal>();
  const goOn = Promise.withResolvers<void>();
  const app = await serve(
    route(health.getHealth, async ({ gone }) => {
      began.resolve(gone);
      await goOn.promise;
      return { status: "ok" as const };
    }),
  );
  await app.listen({ port: 0, host: "127.0.0.1" });
  const address = app.server.address();
  const socket = connect(typeof address === "object" ? (address?.port ?? 0) : 0, "127.0.0.1");
  socket.write("GET /api/health HTTP/1.1\r\nhost: a\r\n\r\n");
  const gone = await began.promise;
  expect(gone.aborted).toBe(false);
  socket.destroy();
  await once(gone, "abort");
  goOn.resolve();

  let answered: AbortSignal | undefined;
  const other = await serve(
    route(health.getHealth, async (context) => {
      answered = context.gone;
      return { status: "ok" as const };
    }),
  );
  expect((await other.inject("/api/health")).statusCode).toBe(200);
  expect(answered?.aborted).toBe(false);
});

test("a list far over its limit is refused for its length, not element by element", async () => {
  const app = await serve(route(outcomes.orderCallOutcomes, async () => []));
  const answer = await app.inject({
    method: "PUT",
    url: `/api${outcomes.orderCallOutcomes.path}`,
    headers: { authorization: "Bearer someone" },
    payload: { ids: Array.from({ length: 50_000 }, () => 0) },
  });
  expect(answer.statusCode).toBe(422);
  expect(answer.json().errors).toEqual([{ field: "ids", message: "Send at most 1000 of these." }]);
});
