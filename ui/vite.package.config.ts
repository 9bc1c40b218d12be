import { defineConfig } from "vite";

/** The components as a package: one ES module and one style sheet; React is the page's own. */
export default defineConfig({
  publicDir: false,
  build: {
    outDir: "package/dist",
    emptyOutDir: true,
    target: "es2022",
    // Who builds a page with the package makes it small; until then it can be read.
    minify: false,
    lib: { entry: "src/lib/package.ts", formats: ["es"], fileName: "index", cssFileName: "style" },
    rollupOptions: {
      external: ["react", "react/jsx-runtime"],
      // The components have state: frameworks that render on a server ask for this mark.
      output: { banner: '"use client";' },
    },
  },
});
