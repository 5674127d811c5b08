import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { type Plugin, defineConfig } from 'vite'

/**
 * Builds the page of reports as one script and one style sheet, which `agon` puts into each report. Types are checked by tsc
 * (src/web/tsconfig.json); this only bundles.
 */
export default defineConfig({
  plugins: [react(), licences()],
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

/** Puts the licences of what is built in before the script: it is handed on with every report. */
function licences(): Plugin {
  return {
    name: 'licences',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        const texts = new Map<string, string[]>()
        const inside = /node_modules\/((?:@[^/]+\/)?[^/]+)\//
        const names = new Set(chunk.moduleIds.flatMap((id) => inside.exec(id)?.[1] ?? []))
        for (const name of [...names].sort()) {
          const text = licenceOf(name)
          texts.set(text, [...(texts.get(text) ?? []), name])
        }
        const told = [...texts].map(([text, those]) => `${those.join(', ')}\n\n${text}`)
        chunk.code = `/*! This page contains:\n\n${told.join('\n\n').replaceAll('*/', '* /')}\n*/\n${chunk.code}`
      }
    },
  }
}

/** The text of a package's licence. Throws where it has none: then it must not be built in. */
function licenceOf(name: string): string {
  const folder = join('node_modules', name)
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
  if (file === undefined) throw new Error(`${name} has no licence to hand on`)
  // A browser takes every line end for \n before it compares the script with its hash.
  return readFileSync(join(folder, file), 'utf8').replaceAll('\r', '').trim()
}
