// Completes what tsc wrote to dist: copies the files of src that are not TypeScript (rules, house bots, class shims, hand-written
// declarations), removes what no longer has a source, and makes the command executable.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const src = join(root, 'src')
const dist = join(root, 'dist')

/** What lies in src but is of use only to the tests, or was left there by running a bot. */
const unwanted = /(^|\/)(golden|__snapshots__|__pycache__|state)\/|\.test\.[a-z]+$|\.(pyc|class|o)$|~$/
/** What tsc reads and writes itself. */
const compiled = /(?<!\.d)\.tsx?$/

/** Paths of all files below a folder, relative to it. */
const filesOf = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    : []

/** What other steps of the build make stays: the bundle, and the launcher, which a run that is under way may need at any moment. */
const made = /^(bundle\/|web\/site\/|sandbox\/launcher\/launcher-)/
/** What the page's own build makes of the page's sources: none of them is copied, and what it wrote stays. */
const ofPage = /^web\//
const sources = filesOf(src).filter((file) => !unwanted.test(file))
const assets = sources.filter((file) => !compiled.test(file) && !ofPage.test(file))
const outputs = sources
  .filter((file) => compiled.test(file))
  .flatMap((file) => ['.js', '.d.ts'].map((ending) => file.replace(compiled, ending)))

const wanted = new Set([...assets, ...outputs, 'web/page.js', 'web/page.css'])
for (const file of filesOf(dist)) {
  if (!wanted.has(file) && !made.test(file) && !file.endsWith('.tsbuildinfo')) rmSync(join(dist, file))
}

for (const asset of assets) {
  const [from, to] = [join(src, asset), join(dist, asset)]
  mkdirSync(dirname(to), { recursive: true })
  if (!existsSync(to) || !readFileSync(from).equals(readFileSync(to))) copyFileSync(from, to)
  chmodSync(to, statSync(from).mode)
}

/** Removes folders that nothing is left in, deepest first. */
const prune = (folder) => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) prune(join(folder, entry.name))
  }
  if (folder !== dist && readdirSync(folder).length === 0) rmdirSync(folder)
}
prune(dist)

// The site sends its page compressed as well as can be: that takes a while, so it is done once, here.
const page = join(dist, 'web', 'site')
for (const name of filesOf(page).filter((file) => !/\.(br|gz)$/.test(file))) {
  const file = join(page, name)
  writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)))
  writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }))
}

const command = join(dist, 'bundle', 'main.js')
if (existsSync(command)) chmodSync(command, 0o755)

await import('./build-launcher.mjs')
