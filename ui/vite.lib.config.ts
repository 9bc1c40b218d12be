import { defineConfig } from "vite";

/** The components as plain browser globals: `Forsyth.FENDisplay` and its siblings, React expected as a global. */
export default defineConfig({
  publicDir: false,
  define: { "process.env.NODE_ENV": '"production"' },
  oxc: { jsx: { runtime: "classic" } },
  build: {
    outDir: "dist",
    lib: { entry: "src/lib/index.ts", name: "Forsyth", formats: ["iife"], fileName: "forsyth-ui" },
    rollupOptions: {
      external: ["react"],
      output: { globals: { react: "React" } },
    },
  },
});
