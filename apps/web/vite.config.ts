import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// Whatever the shell or a test run set: React has another, slower self that is not for people's use.
process.env["NODE_ENV"] = "production";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  server: { proxy: { "/api": "http://127.0.0.1:3000" } },
  // `npm run build` starts from the repository's root.
  build: { outDir: "dist", emptyOutDir: true, assetsInlineLimit: 0 },
});
