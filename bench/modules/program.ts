import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { AnyGame } from '../../src/core/index.js'
import type * as Contest from '../../src/contest/index.js'
import { type Row, median } from '../kit.js'

const FILE = fileURLToPath(new URL('count.py', import.meta.url))
const STEPS = 200
const MATCHES = 100
const ROUNDS = 7
/** Microseconds that a step may cost beside the program's own work. */
const BESIDE_US = 100

/** The lines that the matches of a round are made of. */
function lines(): string {
  const match = (n: number): string[] => [
    JSON.stringify({ type: 'setup', match: n, seats: 2, options: {}, seed: String(n) }),
    ...Array.from({ length: STEPS }, (_, turn) =>
      JSON.stringify({ type: 'play', match: n, moves: turn % 2 === 0 ? ['a', null] : [null, 'a'] }),
    ),
  ]
  return `${Array.from({ length: MATCHES }, (_, n) => match(n))
    .flat()
    .join('\n')}\n`
}

/** Microseconds. */
function timed(work: () => void): number {
  const began = performance.now()
  work()
  return (performance.now() - began) * 1000
}

function play(game: AnyGame): void {
  for (let n = 0; n < MATCHES; n++) {
    let state = game.setup(2, game.options, { seed: String(n), at: 0 })
    for (let due = game.toMove(state); due.length > 0; due = game.toMove(state)) {
      const moves: (string | undefined)[] = [undefined, undefined]
      for (const seat of due) moves[seat] = (game.legal(game.view(state, seat)) as readonly string[])[0]
      state = game.play(state, moves)
    }
  }
}

/**
 * A game program through agon, steps a second, against one that costs a hundred microseconds a step beside its own work: what it takes to read
 * the same lines from a file and to print the answers to nowhere.
 */
export async function programRow(contest: typeof Contest): Promise<Row> {
  const { game } = await contest.loadGame(FILE, '/')
  const input = lines()
  const python = (text: string): void =>
    void spawnSync('python3', [FILE], { input: text, stdio: ['pipe', 'ignore', 'inherit'] })
  const [values, limits, ratios]: [number[], number[], number[]] = [[], [], []]
  play(game)
  for (let round = 0; round < ROUNDS; round++) {
    const steps = STEPS * MATCHES
    const through = timed(() => play(game)) / steps
    const own = (timed(() => python(input)) - timed(() => python(''))) / steps
    values.push(1e6 / through)
    limits.push(1e6 / (own + BESIDE_US))
    ratios.push((own + BESIDE_US) / through)
  }
  return { name: 'program', value: median(values), limit: median(limits), ratio: median(ratios), goal: 1 }
}
