// Writes arrows.oxlintrc.json: what each layer may import, for the linter, from the two tables of ARCHITECTURE.md (the layers, and the
// files that may open files). `npm run arrows` writes it; a test holds it against the tables and plants what it must refuse.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Layers that compile without Node and DOM types. */
export const PURE: readonly string[] = ['core', 'text', 'games', 'match', 'tournament', 'stats']
/** Layers where strangers' folders are named: only `files` may open what lies in them. */
export const READERS: readonly string[] = ['sandbox', 'bots', 'contest', 'build']
/** The layer that is built for a browser; so are the games' viewers and their kit. */
const PAGE = 'web'

/** Where the page has its types from: of a report's document, and of the site's answers, as what makes them infers them. Nothing else is imported. */
const DOCUMENT = 'src/web/document.ts'
const ANSWERS = 'src/web/site/facts.ts'

/** What a pure layer has no use for. */
const IMPURE = [
  ['Date', 'No clock here: what happens follows from the input alone.'],
  ['performance', 'No clock here: what happens follows from the input alone.'],
  ['globalThis', 'Nothing of the host here.'],
  ['process', 'Nothing of the host here.'],
  ['crypto', 'Chance is pick(luck, items).'],
  ['setTimeout', 'No clock here: the caller brings it.'],
  ['setInterval', 'No clock here: the caller brings it.'],
].map(([name, message]) => ({ name, message }))

/** Layers that take durations, and their files that mean a date. */
const TIMED = ['app', 'bots', 'build', 'cli', 'engine', 'files', 'sandbox', 'site', 'store', 'workers']
const DATED = [
  'site/http/limits.ts',
  'build/stage.ts',
  'engine/tournament.ts',
  'engine/under-way.ts',
  'files/owner.ts',
  'files/runtime.ts',
  'store/leases.ts',
  'store/store.ts',
]

const SMALL = ['!@noble/hashes/**', '!pure-rand/**', '!zod', '!zod/**']
const NODE = ['!node:*', '!node:*/**']
const HOST = [...NODE, ...SMALL, '!smol-toml', '!tsx', '!tsx/**']
const VIEW = ['!react', '!d3-scale', '!d3-shape']
interface Override {
  readonly files: readonly string[]
  readonly rules: Readonly<Record<string, unknown>>
}

/** Packages of layers that have others than their kind. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  results: [...HOST, '!csv-parse', '!csv-parse/**'],
  build: [...HOST, '!esbuild'],
  contest: [...HOST, '!re2js'],
  files: [...HOST, '!tar', '!yauzl', '!yazl'],
  lab: [...HOST, '!highs'],
  store: [...HOST, '!@photostructure/sqlite', '!pg'],
  workers: [...HOST, '!pg', '!pg-boss'],
  app: [...HOST, '!ws'],
  site: [...HOST, '!hono', '!hono/**', '!@hono/*', '!@fastify/busboy', '!ws'],
  web: [...VIEW, '!react-dom/client'],
  text: ['!get-east-asian-width'],
}
const packagesOf = (layer: string): readonly string[] => PACKAGES[layer] ?? (PURE.includes(layer) ? SMALL : HOST)
/** A way out of a folder and back in would go round the patterns. */
const DETOURS = ['**/[a-z]*/../**', './**/../**']

/** The rows of the table below a heading row, as their cells. */
function rowsOf(text: string, heading: string): string[][] {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.startsWith(`| ${heading} |`))
  if (at < 0) throw new Error(`ARCHITECTURE.md has no table that begins with ${heading}`)
  const end = lines.findIndex((line, i) => i > at && !line.startsWith('|'))
  return lines.slice(at + 2, end).map((line): string[] =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

/** By layer: the layers that it may import, as ARCHITECTURE.md's table has them. */
export function arrowsOf(text: string): Readonly<Record<string, readonly string[]>> {
  const arrows: Record<string, readonly string[]> = Object.fromEntries(
    rowsOf(text, 'layer').map(([layer = '', , may = '']) => [
      /src\/([\w-]+)/.exec(layer)?.[1] ?? layer,
      may === '–' ? [] : may.split(',').map((name) => name.trim()),
    ]),
  )
  for (const [layer, may] of Object.entries(arrows))
    for (const other of may)
      if (!(other in arrows))
        throw new Error(`ARCHITECTURE.md: ${layer} may import ${other}, and there is no such layer`)
  return arrows
}

/** Files of the readers' layers that open files of the host itself. */
const openers = (text: string): string[] =>
  rowsOf(text, 'file').flatMap(([files = '']) => [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file))

const override = (files: readonly string[], group: readonly string[], message: string): Override => ({
  files,
  rules: {
    'no-restricted-imports': [
      'error',
      { patterns: [{ group: ['**', '!./**', ...group, ...DETOURS], message: `Arrow: ${message}.` }] },
    ],
  },
})

/** A machine's clock may be set while something lasts. */
function clockOverrides(): Override[] {
  const message =
    "A machine's clock may be set: durations are taken with performance.now(). The files that mean a date are listed in scripts/arrows.ts."
  const rule = ['error', { object: 'Date', property: 'now', message }]
  return [
    { files: TIMED.map((layer) => `src/${layer}/**`), rules: { 'no-restricted-properties': rule } },
    {
      files: DATED.map((file) => `src/${file}`),
      rules: { 'no-restricted-properties': 'off' },
    },
  ]
}

/** What games, their bots and their viewers may import. */
function gameOverrides(): Override[] {
  const game = (
    files: readonly string[],
    up: string,
    more: readonly string[],
    what = 'a game imports core and itself, never another game',
  ): Override => override(files, [...more, `!${up}/core/**`, ...SMALL], what)
  return [
    override(
      ['src/games/index.ts'],
      ['!../core/**', '!./*/index.js'],
      'the list of games imports core and one index a game',
    ),
    game(['src/games/*/*'], '../..', []),
    game(['src/games/*/*/**'], '../../..', ['!../*.js']),
    game(
      ['src/games/*/bots/**', 'src/games/*/shim/**'],
      '../../..',
      ['!../*.js', ...NODE],
      'a house bot imports Node, core and its own game',
    ),
    override(
      ['src/games/*/viewer.tsx'],
      ['!../../core/**', '!../viewer-kit/index.js', ...VIEW],
      'a viewer imports core, its own game and viewer-kit',
    ),
    override(['src/games/viewer-kit/**'], ['!../../core/**', ...VIEW], 'viewer-kit imports core'),
    { files: ['**/*.test.ts', '**/*.test.tsx', 'test/**', 'bench/**'], rules: { 'no-restricted-imports': 'off' } },
  ]
}

/** What the linter is told. */
export function rulesOf(text: string): { readonly $schema: string; readonly overrides: readonly Override[] } {
  const arrows = arrowsOf(text)
  const open = openers(text)
  const own = (layer: string, up: string): string[] =>
    (arrows[layer] ?? []).flatMap((other) => {
      if (other !== 'games') return [`!${up}/${other}/**`]
      return [`!${up}/games/index.js`, ...(layer === PAGE ? [`!${up}/games/viewer-kit/**`] : [])]
    })
  const list = (layer: string): string => `${layer} imports ${arrows[layer]?.join(', ') || 'no other layer'}`
  const overrides: Override[] = [
    {
      files: PURE.map((layer) => `src/${layer}/**`),
      rules: {
        'no-restricted-globals': ['error', ...IMPURE],
        'no-restricted-properties': [
          'error',
          { object: 'Math', property: 'random', message: 'Chance is pick(luck, items).' },
        ],
      },
    },
  ]
  for (const layer of Object.keys(arrows)) {
    if (layer === 'games') continue
    const inside = (up: string): string[] => [...own(layer, up), ...packagesOf(layer)]
    if (layer === 'cli' || layer === 'app') {
      overrides.push(
        override(
          [`src/${layer}/**`],
          [...inside('..'), ...(layer === 'cli' ? ['!commander', '!@clack/prompts'] : [])],
          list(layer),
        ),
      )
      if (layer === 'app')
        overrides.push(override(['src/app/*/**'], ['!../**', '../../**', ...inside('../..')], list(layer)))
      continue
    }
    const closed = READERS.includes(layer)
    const fs = closed ? ['node:fs', 'node:fs/**'] : []
    overrides.push(
      override(
        [`src/${layer}/**`],
        [...inside('..'), ...fs],
        `${list(layer)}${closed ? ', and leaves strangers’ files to files' : ''}`,
      ),
    )
    const exempt = open.filter((file) => file.startsWith(`${layer}/`)).map((file) => `src/${file}`)
    if (exempt.length > 0) overrides.push(override(exempt, inside('..'), list(layer)))
    if ([PAGE, 'store', 'site', 'workers'].includes(layer))
      overrides.push(override([`src/${layer}/*/**`], ['!../**', '../../**', ...inside('../..')], list(layer)))
    if (layer === PAGE) {
      overrides.push(override([DOCUMENT], [...inside('..'), '!../results/index.js'], list(layer)))
      overrides.push(override([ANSWERS], ['!../**', '../../**', '!../../site/*.js', ...inside('../..')], list(layer)))
    }
  }
  overrides.push(...clockOverrides(), ...gameOverrides())
  return { $schema: './node_modules/oxlint/configuration_schema.json', overrides }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rules = rulesOf(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'))
  writeFileSync(join(root, 'arrows.oxlintrc.json'), `${JSON.stringify(rules, undefined, 2)}\n`)
}
