import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PURE, READERS, arrowsOf, rulesOf } from '../scripts/arrows.js'

/**
 * Who may import whom: the tables of ARCHITECTURE.md, from which the linter's arrows are made. This test plants one violation of each
 * in a small tree of its own, lints that tree with the project's own rules, and expects to see exactly the violations refused.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const ARCHITECTURE = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
const ARROWS = arrowsOf(ARCHITECTURE)
const LAYERS = Object.keys(ARROWS)
const tree = mkdtempSync(join(tmpdir(), 'agon-arrows-'))
afterAll(() => {
  rmSync(tree, { recursive: true, force: true })
})

/** What each planted file is, and the rule that must refuse it; undefined: it must pass. */
const planted: { file: string; text: string; rule: string | undefined }[] = []
const plant = (folder: string, text: string, rule?: string): void => {
  planted.push({ file: `${folder}/p${planted.length}.ts`, text, rule })
}
const ARROW = 'no-restricted-imports'

for (const from of LAYERS) {
  const [folder, up] = from === 'games' ? ['src/games/ant', '../..'] : [`src/${from}`, '..']
  for (const to of LAYERS) {
    if (to !== from) plant(folder, `import '${up}/${to}/index.js'`, ARROWS[from]?.includes(to) ? undefined : ARROW)
  }
  plant(folder, `import './sibling.js'`)
  // Nothing outside a game's folder names a game.
  if (from !== 'games') plant(folder, `import '../games/ant/rules.js'`, ARROW)
  // The library's own surface imports every layer.
  if (from !== 'cli') plant(folder, `import '${up}/index.js'`, ARROW)
  plant(folder, `import 'node:fs'`, PURE.includes(from) || from === 'web' || READERS.includes(from) ? ARROW : undefined)
}
for (const layer of READERS) {
  plant(`src/${layer}`, `import 'node:fs/promises'`, ARROW)
  plant(`src/${layer}`, `import { readFileSync } from 'node:fs'\nexport const text = readFileSync('x')`, ARROW)
  plant(`src/${layer}`, `import 'node:path'`)
}
for (const text of [
  `import '../bee/rules.js'`,
  `import type { State } from '../bee/rules.js'`,
  `export * from '../bee/rules.js'`,
  `export { rules } from '../bee/rules.js'`,
  `await import('../bee/rules.js')`,
  `import './../bee/rules.js'`,
  `import './bots/../../bee/rules.js'`,
  `import '../../core/../sandbox/index.js'`,
  `import '../index.js'`,
  `import 'commander'`,
]) {
  plant('src/games/ant', text, ARROW)
}
plant('src/games/ant', `import type { Cell } from '../../core/index.js'`)
plant('src/games/ant', `import '@noble/hashes/sha2.js'`)
plant('src/games/ant/bots', `import '../rules.js'`)
plant('src/games/ant/bots', `import '../../../core/index.js'`)
plant('src/games/ant/bots', `import '../../../core/../sandbox/index.js'`, ARROW)
plant('src/games/ant/bots', `import '../../../sandbox/index.js'`, ARROW)
plant('src/games/ant/bots', `import 'node:readline'`)
plant('src/games/ant/bots', `import '../../bee/rules.js'`, ARROW)
plant('src/games/ant/bots', `Math.random()`, 'no-restricted-properties')
plant('src/games/ant/bots', `Date.now()`, 'no-restricted-globals')
// A game's viewer belongs to the page's build.
plant('src/games/ant', `import '../viewer-kit/index.js'`, ARROW)
const viewers: readonly (readonly [string, string?])[] = [
  ['react'],
  ['./rules.js'],
  ['../../core/index.js'],
  ['../viewer-kit/index.js'],
  ['../bee/rules.js', ARROW],
  ['../../web/app.js', ARROW],
  ['../../match/index.js', ARROW],
  ['node:fs', ARROW],
]
viewers.forEach(([from, rule], n) => {
  planted.push({ file: `src/games/v${n}/viewer.tsx`, text: `import '${from}'`, rule })
})
plant('src/web/replay', `import '../app.js'`)
plant('src/web/replay', `import '../../games/viewer-kit/index.js'`)
plant('src/games/viewer-kit', `import 'react'`)
plant('src/games/viewer-kit', `import '../../match/index.js'`, ARROW)
plant('src/web/replay', `import '../../match/judge.js'`)
plant('src/web/replay', `import '../../store/index.js'`, ARROW)
plant('src/web/replay', `import '../../games/ant/rules.js'`, ARROW)
plant('src/app/look', `import '../stored.js'`)
plant('src/app/look', `import '../../stats/index.js'`)
plant('src/app/look', `import '../../cli/main.js'`, ARROW)
plant('src/app/look', `import '../../games/ant/rules.js'`, ARROW)
plant('src/results', `import '../web/app.js'`, ARROW)
plant('src/engine', `import './b.js'`)
for (const [file, other] of ['ab', 'ba']) {
  planted.push({
    file: `src/engine/${file}.ts`,
    text: `import { ${other} } from './${other}.js'\nexport const ${file} = () => ${other}`,
    rule: 'no-cycle',
  })
}
for (const layer of PURE) {
  const folder = layer === 'games' ? 'src/games/ant' : `src/${layer}`
  plant(folder, 'Date.now()', 'no-restricted-globals')
  plant(folder, 'new Date()', 'no-restricted-globals')
  plant(folder, 'performance.now()', 'no-restricted-globals')
  plant(folder, 'globalThis.Math.random()', 'no-restricted-globals')
  plant(folder, 'Math.random()', 'no-restricted-properties')
  plant(folder, `Math['random']()`, 'no-restricted-properties')
  plant(folder, 'const { random } = Math', 'no-restricted-properties')
  plant(folder, 'Math.floor(1.5)')
}
// A machine's clock may be set.
for (const layer of ['app', 'engine', 'site', 'workers'])
  plant(`src/${layer}`, 'Date.now()', 'no-restricted-properties')
plant('src/results', 'Date.now()')
plant('src/engine', 'Math.random()')
plant('src/core', 'export const word: unknown = 1')
// A package belongs to the layer that has a use for it.
plant('src/text', `import 'get-east-asian-width'`)
plant('src/core', `import 'get-east-asian-width'`, ARROW)
plant('src/build', `import 'esbuild'`)
plant('src/match', `import 'esbuild'`, ARROW)
plant('src/tournament', `import 'csv-parse/sync'`, ARROW)

/** What only the type checker can refuse in the pure layers. */
const untyped = [
  `import 'fs'\nimport { readFileSync } from 'fs'\nexport const text = readFileSync('x')`,
  `import { readFileSync } from 'node:fs'\nexport const text = readFileSync('x')`,
  `export const name = process.argv[1]`,
  `export const page = fetch('http://localhost')`,
  `export const title = document.title`,
  `setTimeout(() => {}, 1)`,
  `export const bytes = Buffer.from('x')`,
]

const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(tree, file)), { recursive: true })
  writeFileSync(join(tree, file), `${text}\n`)
}
/** Runs a tool of the project in the planted tree and returns what it printed. */
const run = (tool: string, ...args: string[]): string => {
  const ended = spawnSync(process.execPath, [join(root, 'node_modules', tool), ...args], {
    cwd: tree,
    encoding: 'utf8',
  })
  if (ended.error) throw ended.error
  return ended.stdout + ended.stderr
}

it('the linter’s arrows are those of the tables', () => {
  expect(JSON.parse(readFileSync(join(root, 'arrows.oxlintrc.json'), 'utf8'))).toEqual(rulesOf(ARCHITECTURE))
})

it('every layer has its row', () => {
  const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect([...LAYERS].sort()).toEqual(folders.map(({ name }) => name).sort())
})

describe('the arrows between the layers', () => {
  const found = new Map<string, string[]>()

  beforeAll(() => {
    for (const { file, text } of planted) write(file, text)
    const rules = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8')) as object
    // The planted files have no packages to take types from; everything tested here is found in the text alone.
    writeFileSync(join(tree, '.oxlintrc.json'), JSON.stringify({ ...rules, options: {} }))
    copyFileSync(join(root, 'arrows.oxlintrc.json'), join(tree, 'arrows.oxlintrc.json'))
    const printed = run('oxlint/bin/oxlint', '-f', 'unix', 'src')
    for (const [, file = '', rule = ''] of printed.matchAll(
      /^(src\/[^:]+):\d+:\d+: .*\[\w+\/[\w-]+\(([\w-]+)\)\]$/gm,
    )) {
      found.set(file, [...(found.get(file) ?? []), rule])
    }
    if (!printed.includes(' problem')) throw new Error(`the linter did not run: ${printed}`)
  })

  it.each([...new Set(planted.map(({ file }) => dirname(file)))])('are held in %s', (folder) => {
    const here = planted.filter(({ file }) => dirname(file) === folder)
    const seen = here.map(({ file, text }) => {
      const rules = (found.get(file) ?? []).filter((rule) => rule.startsWith('no-restricted-') || rule === 'no-cycle')
      return `${text} → ${[...new Set(rules)].join(' ') || 'passes'}`
    })
    expect(seen).toEqual(here.map(({ text, rule }) => `${text} → ${rule ?? 'passes'}`))
  })

  it("let only the files that ARCHITECTURE.md names open files beside strangers' own", () => {
    const importing = READERS.flatMap((layer) =>
      readdirSync(join(root, 'src', layer), { recursive: true, withFileTypes: true })
        .map((entry) => join(entry.parentPath, entry.name))
        .filter(
          (file) => /(?<!\.test)\.ts$/.test(file) && /from 'node:fs(?:\/promises)?'/.test(readFileSync(file, 'utf8')),
        )
        .map((file) => `src/${file.slice(join(root, 'src').length + 1)}`),
    )
    const allowed = rulesOf(ARCHITECTURE)
      .overrides.filter(({ rules }) => 'no-restricted-imports' in rules)
      .flatMap(({ files }) => files)
      .filter((file) => file.endsWith('.ts') && READERS.some((layer) => file.startsWith(`src/${layer}/`)))
    expect(allowed.sort()).toEqual(importing.sort())
  })
})

describe('the pure layers', () => {
  it('compile with no Node and no DOM types', () => {
    rmSync(join(tree, 'src'), { recursive: true, force: true })
    const layers = PURE.map((layer) => (layer === 'games' ? 'games/ant' : layer))
    for (const layer of layers) untyped.forEach((text, n) => write(`src/${layer}/u${n}.ts`, text))
    write('src/core/fine.ts', `export const fine = [3, 1, 2].map((n) => n + Math.floor(1.5))`)
    for (const name of ['tsconfig.base.json', 'tsconfig.pure.json', 'package.json'])
      copyFileSync(join(root, name), join(tree, name))
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))

    const printed = run('typescript/bin/tsc', '-p', 'tsconfig.pure.json', '--noEmit', '--pretty', 'false')
    const refused = new Set([...printed.matchAll(/^(src\/[^(]+)\(.*error TS/gm)].map(([, file]) => file))
    expect([...refused].sort()).toEqual(
      layers.flatMap((layer) => untyped.map((_, n) => `src/${layer}/u${n}.ts`)).sort(),
    )
  })
})
