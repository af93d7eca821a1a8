import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  server: { proxy: { "/api": "http://127.0.0.1:3000" } },
  // `npm run build` starts from the repository's root.
  build: { outDir: "dist", emptyOutDir: true, assetsInlineLimit: 0 },
});
