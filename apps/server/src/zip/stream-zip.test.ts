import { buffer } from "node:stream/consumers";
import { strFromU8, unzipSync } from "fflate";
import { expect, test } from "vitest";
import { streamZip } from "./stream-zip.ts";

const text = (words: string) => [new TextEncoder().encode(words)];

test("a ZIP contains each entry whole, under a unique name without a path outside it", async () => {
  const zip = await buffer(
    streamZip([
      { name: "data.json", content: text("{}") },
      { name: "files/offer.pdf", content: text("first") },
      { name: "files/offer.pdf", content: text("second") },
      { name: "files/../../etc/passwd", content: text("far") },
      { name: "files/empty", content: [] },
    ]),
  );
  const read = Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, strFromU8(bytes)]);
  expect(Object.fromEntries(read)).toEqual({
    "data.json": "{}",
    "files/offer.pdf": "first",
    "files/offer (2).pdf": "second",
    "files/_/_/etc/passwd": "far",
    "files/empty": "",
  });
});

test("an entry that can't be read ends the ZIP with an error", async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(3);
    throw new Error("the disk is gone");
  }
  await expect(buffer(streamZip([{ name: "a", content: failing() }]))).rejects.toThrow("the disk is gone");
});
