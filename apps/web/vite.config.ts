import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compressAhead } from "./build/compress-ahead.ts";
import { leaveSchemasOut } from "./build/leave-schemas-out.ts";
import { listChunks } from "./build/list-chunks.ts";

const api = process.env["API_ADDRESS"] ?? "http://127.0.0.1:3000";

export default defineConfig(({ command }) => {
  // Regardless of the shell or a test run: React's development build is slow and not for users.
  if (command === "build") process.env["NODE_ENV"] = "production";
  return {
    plugins: [react(), tailwindcss(), leaveSchemasOut, listChunks, compressAhead],
    server: { proxy: { "/api": api, "/sandbox-crm": api } },
    // `npm run build` runs in the repository's root.
    build: {
      outDir: "dist",
      emptyOutDir: true,
      assetsInlineLimit: 0,
      rolldownOptions: {
        // A module that is both imported lazily and bundled is loaded at once, which only costs time.
        onLog(level, log, handle) {
          if (log.code === "INEFFECTIVE_DYNAMIC_IMPORT") throw new Error(log.message);
          handle(level, log);
        },
        output: {
          // Builds a few files instead of a hundred small ones, of which a browser fetches six at a time: what the
          // first page needs, what every signed-in page needs, and what some pages share. Each includes its imports.
          codeSplitting: {
            groups: [
              { name: "requests", test: /\?plain$/, priority: 8 },
              { name: "forms", test: /node_modules\/zod\/|\?schemas$/, priority: 7 },
              { name: "numbering-plans", test: /node_modules\/libphonenumber-js\//, priority: 5 },
              {
                name: "start",
                test: /src\/(main\.tsx|data\/api-client\.ts|components\/(use-theme|theme-switch|auth-card|logo|skip-link)\.tsx?|ui\/(input|notice)\.tsx)$/,
                priority: 6,
              },
              { name: "signed-out", test: /src\/screens\/(public-layout|login\/login-screen)\.tsx$/, priority: 3 },
              {
                name: "signed-in",
                test: /src\/screens\/(signed-in-layout|dashboard\/dashboard-screen)\.tsx$/,
                priority: 2,
              },
              {
                name: "after-paint",
                test: /src\/(ui\/(tooltip-bubble|toaster|sheet|select)|components\/(theme-items|layout\/(user-menu|organisation)-items)|phone\/(bar\/(live|ended)-call|pad\/start-failed-dialog|in-call\/call-(words|notices)))\.tsx?$/,
                priority: 1.5,
              },
              { name: "shared", minShareCount: 2, priority: 1 },
            ],
          },
        },
      },
    },
  };
});
