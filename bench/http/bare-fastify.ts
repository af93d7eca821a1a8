/** The framework's limit: returns the given JSON from memory, without authentication, database or validation. */
import fastify from "fastify";

const answers: Record<string, unknown> = JSON.parse(process.env["ANSWERS"] ?? "{}");
const app = fastify();
for (const [path, answer] of Object.entries(answers)) app.get(path, async () => answer);
await app.listen({ port: 0, host: "127.0.0.1" });
process.stdout.write(`${JSON.stringify(app.server.address())}\n`);
