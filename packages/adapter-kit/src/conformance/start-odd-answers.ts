import { standBetween } from "./stand-between.ts";

/** What becomes of a vendor's response on its way. */
export const oddities = {
  "a web page": () => "<!doctype html><title>Sign in to the guest network</title>",
  "half of the response": (response: string) => response.slice(0, Math.max(1, response.length / 2)),
};

/** In front of a vendor's HTTP API, which gets every request. After the first `good` of them, the responses are odd. */
export async function startOddAnswers(
  target: URL,
  { oddity, good }: { oddity: (response: string) => string; good: number },
) {
  let seen = 0;
  const between = await standBetween(target, async ({ send }) => {
    const isOdd = ++seen > good;
    const real = await send();
    return isOdd ? { status: 200, type: "text/html", body: oddity(real.body) } : real;
  });
  return { ...between, wasOdd: (): boolean => seen > good };
}
