import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Row } from '../kit.js'
import { median } from '../kit.js'

/** Duels a pair: what is the same however many are played is the difference's to leave out. */
const [FEW, MANY] = [50, 350]
const ENTRIES = 4
const ROUNDS = 3

const MAIN = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url))

/** Duellists that take turns with their chance. */
const bot = (n: number): string => `let n = ${n}
export default (view, chance) => {
  n++
  const legal = view.ammo > 0 ? ['0', '1', '-'] : ['0', '-', '0']
  return legal[(n + chance.below(3)) % 3]
}
`

/** Duels a second of strangers' modules through the whole of agon, in sandboxes against in agon's own process; bots of that memory. */
export function cellRow(name: string, memory: 'series' | 'match', rooms: string, goal: number): Row {
  const folder = mkdtempSync(join(rooms, `${name}-`))
  mkdirSync(folder, { recursive: true })
  const entrants = Array.from({ length: ENTRIES }, (_, n) => {
    writeFileSync(join(folder, `bot${n}.mjs`), bot(n))
    return `[[entrants]]\nname = "Bot ${n}"\nmodule = "bot${n}.mjs"\n`
  })
  const head = `game = "gunduel"\nseed = "modules of strangers"\nmemory = "${memory}"\n[format]\nkind = "round-robin"\n`
  writeFileSync(join(folder, 'duels.toml'), `${head}repetitions = 1\n${entrants.join('')}`)
  let runs = 0
  const run = (matches: number, words: readonly string[]): number => {
    const place = ['--out', `out-${runs}`, '--workspace', `place-${runs++}`]
    const began = performance.now()
    execFileSync(
      process.execPath,
      [MAIN, 'run', 'duels.toml', '--matches', String(matches), ...place, ...words, '--json'],
      {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'ignore'],
      },
    )
    return performance.now() - began
  }
  const duels = ((ENTRIES * (ENTRIES - 1)) / 2) * (MANY - FEW)
  const rate = (words: readonly string[]): number => (duels / (run(MANY, words) - run(FEW, words))) * 1000
  const [sandboxes, trusted]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    trusted.push(rate(['--trust']))
    sandboxes.push(rate([]))
  }
  const [value, limit] = [median(sandboxes), median(trusted)]
  return { name, value, limit, ratio: value / limit, goal }
}
