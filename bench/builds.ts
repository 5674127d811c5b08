import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { threeThinkers as entries } from './contest/entries.js'
import { type Row, quick } from './kit.js'

export const measures =
  'seventeen C++ classes built in sandboxes, from nothing, against their compiler called one after the other, classes a second; and once more'

const SHIM = fileURLToPath(new URL('../src/games/gunduel/shim', import.meta.url))
const CHILD = fileURLToPath(new URL('builds/prepare.ts', import.meta.url))

/** Seconds in which classes that were built are there in another workspace: each is looked up, copied and compared. */
const AGAIN = 1

export default function bench(): readonly Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'agon-bench-builds-'))
  try {
    for (const { name, source } of entries) writeFileSync(join(folder, `${name}.hpp`), source)
    const list = entries.map(({ name }) => `[[entrants]]\nname = "${name}"\nclass = "${name}.hpp"\n`)
    writeFileSync(join(folder, 'classes.toml'), `game = "gunduel"\n${list.join('')}`)
    const before = oneByOne(folder)
    const ours = prepared(folder, 'first')
    const after = oneByOne(folder)
    const again = prepared(folder, 'second')
    const [value, limit] = [entries.length / ours, (2 * entries.length) / (before + after)]
    return [{ name: 'builds', value, limit, ratio: value / limit, goal: 1.6 }, quick('again, s', again, AGAIN)]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Seconds of staging and building all, in a workspace of its own; the user's cache is the same each time. */
function prepared(folder: string, workspace: string): number {
  const env = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') }
  const words = ['--import', 'tsx', CHILD, join(folder, 'classes.toml'), join(folder, workspace)]
  return Number(execFileSync(process.execPath, words, { encoding: 'utf8', env }))
}

/** Seconds of the shim's commands, one after the other, with nothing around them. */
function oneByOne(folder: string): number {
  const { command } = JSON.parse(readFileSync(join(SHIM, 'build.json'), 'utf8')) as { command: readonly string[] }
  const out = join(folder, 'bare')
  mkdirSync(out, { recursive: true })
  const began = performance.now()
  for (const { name } of entries) {
    const values = { shim: SHIM, folder, header: `${name}.hpp`, class: name, out: join(out, name) }
    const [file = '', ...args] = command
      .filter((word) => word !== '{sources}')
      .map((word) => word.replace(/\{(\w+)\}/g, (_, key: keyof typeof values) => values[key]))
    execFileSync(file, args, { cwd: folder })
  }
  return (performance.now() - began) / 1000
}
