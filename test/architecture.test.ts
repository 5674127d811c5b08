import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
const files = [...text.matchAll(/`(src\/[\w./-]+)`/g)].map(([, file = '']) => file)
const walks = text.slice(text.indexOf('## Six walks'))
const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
const life = contributing.slice(contributing.indexOf('### The life of a match'))
const stepsOf = (walk: string) =>
  [...walk.matchAll(/`(src\/[\w./-]+)`: `(\w+)`/g)].map(([, file = '', name = '']) => ({ file, name }))

it('names files and folders that are there', () => {
  expect(files.length).toBeGreaterThan(30)
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

it.each([
  ['ARCHITECTURE.md', 12, stepsOf(walks)],
  ['CONTRIBUTING.md', 5, stepsOf(life)],
])('%s walks by functions that are there', (_, least, steps) => {
  expect(steps.length).toBeGreaterThanOrEqual(least)
  const gone = steps.filter(
    ({ file, name }) => !new RegExp(`\\b${name}(?:<[^>]*>)?\\(`).test(readFileSync(join(root, file), 'utf8')),
  )
  expect(gone).toEqual([])
})

it("keeps lists of files out of the linter's hand-written rules: scripts/arrows.ts has them", () => {
  expect(readFileSync(join(root, '.oxlintrc.json'), 'utf8').split('\n').length).toBeLessThan(150)
})

/** Files that a page names in backticks, by their path from the root; none with a placeholder such as `src/games/<id>`. */
const namedIn = (page: string): string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/`((?:src|test|bench|scripts|docs|contests)\/[\w./-]+)`/g)].map(
    ([, file = '']) => file,
  )
// CHANGELOG.md is not among them: it tells of files that have gone.
const pages = [
  'CONTRIBUTING.md',
  'README.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
]

it.each(pages)('%s names files that are there', (page) => {
  expect(namedIn(page).filter((file) => !existsSync(join(root, file)))).toEqual([])
})

it('promises of security name the tests that show them', () => {
  const tests = namedIn('SECURITY.md').filter((file) => file.endsWith('.test.ts'))
  expect(tests.length).toBeGreaterThan(40)
})

const ignored = spawnSync('git', ['ls-files', '-ci', '--exclude-per-directory=.gitignore'], {
  cwd: root,
  encoding: 'utf8',
})

// A checkout that commits its node_modules, which may be a link, replaces everyone's.
it.skipIf(ignored.status !== 0)('git holds no file that .gitignore leaves out', () => {
  expect(ignored.stdout).toBe('')
})
