import { defineConfig } from "vite";

/** The components as a package: one ES module and one style sheet; React is the page's own. */
export default defineConfig({
  publicDir: false,
  build: {
    outDir: "package/dist",
    emptyOutDir: true,
    target: "es2022",
    // The build of the page that uses the package minifies it.
    minify: false,
    lib: { entry: "src/lib/package.ts", formats: ["es"], fileName: "index", cssFileName: "style" },
    rollupOptions: {
      external: ["react", "react/jsx-runtime"],
      // The components have state. Frameworks with server rendering require this directive for client components.
      output: { banner: '"use client";' },
    },
  },
});
