import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

// Whatever the shell or a test run set: React has another, slower self that is not for people's use.
process.env["NODE_ENV"] = "production";

/** Names the file that every page needs once signed in, whose hash only the build knows, for before-paint.js. */
const tellSignedInPart: Plugin = {
  name: "tell-signed-in-part",
  transformIndexHtml: {
    order: "post",
    handler(_html, { bundle }) {
      const part = Object.values(bundle ?? {}).find((file) => file.type === "chunk" && file.name === "signed-in");
      if (part === undefined) return [];
      const attrs = { name: "signed-in-part", content: `/${part.fileName}` };
      return [{ tag: "meta", attrs, injectTo: "head-prepend" }];
    },
  },
};

export default defineConfig({
  plugins: [react(), tailwindcss(), tellSignedInPart],
  server: { proxy: { "/api": "http://127.0.0.1:3000" } },
  // `npm run build` starts from the repository's root.
  build: {
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // Few files instead of a hundred small ones, of which a browser fetches six at a time: what the first page needs,
        // what every page needs once signed in, and what some pages share. Each with all that it imports.
        codeSplitting: {
          groups: [
            {
              name: "start",
              test: /src\/(main|screens\/public-layout|screens\/login\/login-screen)\.tsx$/,
              priority: 3,
            },
            {
              name: "signed-in",
              test: /src\/screens\/(signed-in-layout|dashboard\/dashboard-screen)\.tsx$/,
              priority: 2,
            },
            { name: "shared", minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
});
