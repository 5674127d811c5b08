import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * Builds the page of reports as one script and one style sheet, which `agon` puts into each report. Types are checked by tsc
 * (src/web/tsconfig.json); this only bundles.
 */
export default defineConfig({
  plugins: [react()],
  logLevel: 'warn',
  publicDir: false,
  build: {
    outDir: 'dist/web',
    emptyOutDir: false,
    target: 'es2022',
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: {
      input: 'src/web/main.tsx',
      output: { entryFileNames: 'page.js', assetFileNames: 'page[extname]', codeSplitting: false },
    },
  },
})
