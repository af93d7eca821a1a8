import type { HtmlTagDescriptor, Plugin, Rolldown } from "vite";

/**
 * Adds file names whose hashes only the build knows: what a first page needs next, for before-paint.js, and every
 * screen's code.
 */
export const listChunks: Plugin = {
  name: "tell-parts",
  transformIndexHtml: {
    order: "post",
    handler(_html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const next = chunks.filter(({ name }) => ["signed-in", "signed-out"].includes(name));
      return [
        // Read by before-paint.js. The long list comes last, because a page must declare its charset in its first 1024
        // bytes.
        ...next.map(({ name, fileName }) => meta(`${name}-part`, [fileName], "head-prepend")),
        meta("screen-parts", [...filesOfScreens(chunks)], "head"),
      ];
    },
  },
};

const meta = (name: string, files: readonly string[], injectTo: "head-prepend" | "head"): HtmlTagDescriptor => ({
  tag: "meta",
  attrs: { name, content: files.map((file) => `/${file}`).join(" ") },
  injectTo,
});

/** With all their imports. */
function filesOfScreens(chunks: readonly Rolldown.OutputChunk[]): Set<string> {
  const files = new Set<string>();
  const add = ({ fileName, imports }: Rolldown.OutputChunk): void => {
    if (files.has(fileName)) return;
    files.add(fileName);
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) add(chunk);
  };
  for (const chunk of chunks) if (chunk.name.endsWith("-screen")) add(chunk);
  return files;
}
