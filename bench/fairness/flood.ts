import { Pool } from "undici";

/** One user's requests, with `inFlight` of them pending at a time. */
export interface Flood {
  address: string;
  token: string;
  path: string;
  body: object;
  inFlight: number;
}

/**
 * A separate process, so that it delays nothing that is measured: it floods from its first message to its end, and
 * reports the first response.
 */
process.once("message", (flood: Flood) => {
  const { address, token, path, body, inFlight } = flood;
  const pool = new Pool(address, { connections: inFlight, pipelining: 1 });
  let isAnswered = false;
  const keepAsking = async (): Promise<void> => {
    for (;;) {
      const { body: answer } = await pool.request({
        path: `/api${path}`,
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
      await answer.dump();
      if (!isAnswered) process.send?.("answered");
      isAnswered = true;
    }
  };
  for (let count = 0; count < inFlight; count += 1) void keepAsking();
});
