import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { type ProblemCode, ProblemDocument, problemTypes } from "@leadline/contract/problem";
import { describe, expect, test } from "vitest";
import { createLog } from "../log.ts";
import { createHttpServer } from "./create-http-server.ts";

describe("requests that Node’s HTTP parser refuses", () => {
  async function listen() {
    const app = await createHttpServer({
      routes: [],
      endpoints: {},
      log: createLog("silent"),
      authenticate: async () => null,
    });
    await app.listen({ port: 0, host: "127.0.0.1" });
    const address = app.server.address();
    return { app, port: typeof address === "object" ? (address?.port ?? 0) : 0 };
  }
  async function answerTo(port: number, bytes: string) {
    const socket = connect(port, "127.0.0.1");
    socket.write(bytes);
    const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
    return { status: Number(head.split(" ")[1]), head, body };
  }
  function expectProblem({ status, head, body }: Awaited<ReturnType<typeof answerTo>>, code: ProblemCode) {
    expect(status).toBe(problemTypes[code].status);
    expect(head).toMatch(/^content-type: application\/problem\+json(; charset=utf-8)?\r?$/im);
    expect(head).toMatch(/^x-content-type-options: nosniff\r?$/im);
    expect(head).toMatch(/^connection: close\r?$/im);
    expect(head).toContain(`content-length: ${Buffer.byteLength(body)}\r\n`);
    const problem = ProblemDocument.parse(JSON.parse(body));
    expect(problem).toMatchObject({ type: `/api/docs#${code}`, title: problemTypes[code].title, status });
    expect(problem.detail).not.toBe("");
  }

  test.each<[string, ProblemCode, string]>([
    ["bytes that are no HTTP", "malformed-request", "\0\0\r\n\r\n"],
    ["a request without a host", "malformed-request", "GET / HTTP/1.1\r\n\r\n"],
    [
      "two lengths",
      "malformed-request",
      "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
    ],
    ["an expectation that nobody knows", "malformed-request", "GET / HTTP/1.1\r\nhost: a\r\nexpect: x\r\n\r\n"],
    ["headers that are too long", "headers-too-large", `GET / HTTP/1.1\r\nhost: a\r\nx: ${"x".repeat(20_000)}\r\n\r\n`],
  ])("%s is answered with %s as problem+json, and the server keeps running", async (_, code, bytes) => {
    const { app, port } = await listen();
    expectProblem(await answerTo(port, bytes), code);
    expect((await app.inject("/api/docs")).statusCode).toBe(200);
    await app.close();
  });

  test("an unfinished request is answered with request-timeout as problem+json", async () => {
    const { app, port } = await listen();
    // Node checks for overdue requests every 30 s; it then emits this.
    app.server.on("connection", (socket) =>
      app.server.emit("clientError", Object.assign(new Error("late"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket),
    );
    const answer = await answerTo(port, "GET / HTTP/1.1\r\n");
    expect(answer.status).toBe(408);
    expectProblem(answer, "request-timeout");
    await app.close();
  });
});
