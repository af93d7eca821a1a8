import { expect, test } from "vitest";
import { readPublicAddress } from "./public-address.ts";

const read = (url: string | null) => readPublicAddress(url === null ? null : new URL(url))();

test("tells a server without a public address from one whose address can't be looked up", async () => {
  expect(await read(null)).toBeNull();
  expect(await read("http://127.0.0.1:3000")).toBeNull();
  expect(await read("https://8.8.8.8")).toBe("8.8.8.8");
  await expect(read("https://phone.invalid")).rejects.toThrow(/phone\.invalid/);
});
