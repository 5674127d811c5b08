import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { contestJsonSchema } from '../src/contest/schema.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const tree = mkdtempSync(join(tmpdir(), 'agon-package-'))
afterAll(() => {
  rmSync(tree, { recursive: true, force: true })
})

describe('what npm packs', () => {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
  })
  const [{ files }] = JSON.parse(stdout) as [{ files: readonly { path: string; mode: number }[] }]
  const packed = files.map(({ path }) => path)

  it('holds the command, executable, and the library with its types', () => {
    expect(files.find(({ path }) => path === 'dist/bundle/main.js')?.mode.toString(8)).toMatch(/7.5$/)
    expect(packed).toEqual(expect.arrayContaining(['dist/bundle/index.js', 'dist/index.d.ts', 'LICENSE', 'README.md']))
  })

  it('holds each module once: in the bundle', () => {
    const scripts = packed.filter(
      (path) => path.endsWith('.js') && !/^dist\/(bundle|web\/site|games\/[^/]+\/bots)\//.test(path),
    )
    expect(scripts.sort()).toEqual(['dist/web/page.js'])
    for (const program of ['index', 'main', 'runner', 'worker']) expect(packed).toContain(`dist/bundle/${program}.js`)
  })

  it('holds the page of reports as one script and one style sheet', () => {
    const page = packed.filter((path) => /^dist\/web\/(?!site\/)/.test(path))
    expect(page.sort()).toEqual(['dist/web/page.css', 'dist/web/page.js'])
    // A game that is begun has a viewer of its own.
    expect(packed.filter((path) => path.includes('viewer') && !path.startsWith('templates/'))).toEqual([])
  })

  it('holds the page of a site, whose files but its markup have their hash in their names', () => {
    const site = packed.flatMap((path) => /^dist\/web\/site\/(.*)/.exec(path)?.[1] ?? [])
    expect(site).toContain('index.html')
    // Each beside what a browser is sent of it: packed in one of two ways.
    expect(site.filter((name) => !/^(?:index\.html|.*-[\w-]{8}\.\w+?)(?:\.br|\.gz)?$/.test(name))).toEqual([])
  })

  it('holds the rules and house bots of every game, the contests and the docs', () => {
    const games = readdirSync(join(root, 'src/games'), { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && entry.name !== 'viewer-kit',
    )
    for (const { name } of games) {
      const bots = readdirSync(join(root, 'src/games', name, 'bots')).filter((file) =>
        /\.(py|pl|sh|cpp|hpp|java|toml|json)$/.test(file),
      )
      expect(packed).toEqual(
        expect.arrayContaining([`dist/games/${name}/RULES.md`, ...bots.map((bot) => `dist/games/${name}/bots/${bot}`)]),
      )
      expect(packed).toContain(`contests/${name}.toml`)
    }
    expect(packed).toContain('docs/contest.schema.json')
  })

  it('holds no tests and nothing that only the compiler reads', () => {
    const ours = packed.filter((path) => path !== 'templates/game/game.test.ts')
    expect(ours.filter((path) => /\.test\.|tsbuildinfo|golden|__pycache__|^(src|test|bench)\//.test(path))).toEqual([])
  })
})

describe('the build', () => {
  const write = (file: string, text = ''): void => {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    writeFileSync(join(tree, file), text)
  }
  it('copies assets, drops what lost its source and leaves the rest', () => {
    mkdirSync(join(tree, 'scripts'))
    copyFileSync(join(root, 'scripts/copy-assets.mjs'), join(tree, 'scripts/copy-assets.mjs'))
    // What it hands over to is not looked at here.
    write('scripts/build-launcher.mjs')
    for (const kept of [
      'a.ts',
      'cli/main.ts',
      'games/x/bots/b.py',
      'games/x/RULES.md',
      'games/x/bots/c.js',
      'games/x/bots/c.d.ts',
    ])
      write(`src/${kept}`)
    for (const unwanted of ['a.test.ts', 'games/x/golden/1.txt', 'games/x/bots/__pycache__/b.pyc'])
      write(`src/${unwanted}`)
    for (const built of [
      'a.js',
      'a.d.ts',
      'bundle/main.js',
      'bundle/x-1.js',
      'cli/main.js',
      'cli/main.d.ts',
      'node.tsbuildinfo',
      'sandbox/launcher/launcher-x64',
    ])
      write(`dist/${built}`)
    for (const stale of ['gone.js', 'gone.d.ts', 'games/y/RULES.md', 'a.test.js']) write(`dist/${stale}`)
    write('outside.js')

    const ended = spawnSync(process.execPath, [join(tree, 'scripts/copy-assets.mjs')], { encoding: 'utf8' })
    expect(ended.stderr).toBe('')
    const left = readdirSync(join(tree, 'dist'), { recursive: true, withFileTypes: true })
    expect(
      left
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(tree.length + 6))
        .sort(),
    ).toEqual([
      'a.d.ts',
      'a.js',
      'bundle/main.js',
      'bundle/x-1.js',
      'cli/main.d.ts',
      'cli/main.js',
      'games/x/RULES.md',
      'games/x/bots/b.py',
      'games/x/bots/c.d.ts',
      'games/x/bots/c.js',
      'node.tsbuildinfo',
      'sandbox/launcher/launcher-x64',
    ])
    expect(existsSync(join(tree, 'dist/games/y'))).toBe(false)
    expect(existsSync(join(tree, 'outside.js'))).toBe(true)
    expect(statSync(join(tree, 'dist/bundle/main.js')).mode & 0o111).toBe(0o111)
  })
})

describe('the JSON Schema for editors', () => {
  it('is what `npm run schema` writes', () => {
    expect(JSON.parse(readFileSync(join(root, 'docs/contest.schema.json'), 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(contestJsonSchema())),
    )
  })
})
