import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { type Plugin, type UserConfig, defineConfig } from 'vite'

const src = join(dirname(fileURLToPath(import.meta.url)), 'src')

/** What both are: types are checked, and declarations written, by tsc; this only bundles. */
const shared = { logLevel: 'warn', publicDir: false } as const

/** The page of reports as one script and one style sheet, which `agon` puts into each report. */
const page: UserConfig = {
  ...shared,
  plugins: [react(), licences()],
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
}

/** The page of a site: its files have their contents' hash in their names, and its markup holds no script and no style. */
const site: UserConfig = {
  ...shared,
  root: 'src/web/site',
  plugins: [react(), licences()],
  build: {
    outDir: '../../../dist/web/site',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0,
    assetsDir: '.',
  },
}

/**
 * The command, the library and the programs that agon starts as few files: Node takes half a millisecond for each module it loads,
 * and a run has three hundred. One build, so that all of them share one copy of what they have in common.
 */
const command: UserConfig = {
  ...shared,
  plugins: [inPlace(), licences()],
  // Two of the server's packages carry no text of their licence, so they are not handed on in the bundle; highs looks for its program
  // beside itself.
  ssr: {
    noExternal: true,
    external: ['@photostructure/sqlite', 'tsx', 'esbuild', 'hono', '@hono/node-server', '@hono/zod-openapi', 'highs'],
  },
  build: {
    ssr: true,
    outDir: 'dist/bundle',
    target: 'node20',
    rolldownOptions: {
      // They are installed apart, so they need not be there.
      external: ['pg', 'pg-boss'],
      input: {
        main: 'src/cli/start.ts',
        index: 'src/index.ts',
        lab: 'src/lab/index.ts',
        worker: 'src/workers/worker.ts',
        runner: 'src/build/runner.ts',
        'program-keeper': 'src/contest/program-keeper.ts',
        'rating-worker': 'src/app/look/rating-worker.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
}

export default defineConfig(({ isSsrBuild, mode }) => (isSsrBuild ? command : mode === 'site' ? site : page))

/** A module finds the files beside it by its own address: from the bundle, that is where tsc puts it in dist. */
function inPlace(): Plugin {
  return {
    name: 'in-place',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(src) || !code.includes('import.meta.url')) return undefined
      const home = relative(src, id).replaceAll('\\', '/').replace(/\.ts$/, '.js')
      return { code: code.replaceAll('import.meta.url', `new URL('../${home}', import.meta.url).href`), map: null }
    },
  }
}

/** Puts the licences of what is built in before the script: it is handed on with every report. */
function licences(): Plugin {
  return {
    name: 'licences',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        const texts = new Map<string, string[]>()
        // A package within another one has a licence of its own.
        const inside = /node_modules\/((?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//
        const names = new Set(chunk.moduleIds.flatMap((id) => inside.exec(id)?.[1] ?? []))
        for (const name of [...names].sort()) {
          const text = licenceOf(name)
          texts.set(text, [...(texts.get(text) ?? []), name])
        }
        if (texts.size === 0) continue
        const told = [...texts].map(([text, those]) => `${those.join(', ')}\n\n${text}`)
        const [, first = '', rest = ''] = /^(#!.*\n)?([^]*)$/.exec(chunk.code) ?? []
        chunk.code = `${first}/*! This file contains:\n\n${told.join('\n\n').replaceAll('*/', '* /')}\n*/\n${rest}`
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
