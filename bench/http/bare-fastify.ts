/** The limit of the framework: answers the given JSON from memory, with neither sign-in, database nor checks. */
import fastify from "fastify";

const answers: Record<string, unknown> = JSON.parse(process.env["ANSWERS"] ?? "{}");
const app = fastify();
for (const [path, answer] of Object.entries(answers)) app.get(path, async () => answer);
await app.listen({ port: 0, host: "127.0.0.1" });
process.stdout.write(`${JSON.stringify(app.server.address())}\n`);
