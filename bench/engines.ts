import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { AnyGame } from '../src/core/index.js'
import { newLuck, allActions } from '../src/core/index.js'
import { games } from '../src/games/index.js'
import { gunduelArena } from '../src/games/gunduel/arena.js'
import { type Action, type View, gunduel } from '../src/games/gunduel/rules.js'
import type { Row } from './kit.js'
import { median } from './kit.js'

export const measures =
  'turns a CPU second: random gun duels in the arena against a C++ engine, and every game through its plain rules'

const ROUNDS = 9
const DUELS = 500_000
/** One duel in so many is replayed through the rules. */
const SAMPLE = 997

/** Microseconds of CPU time that this process has used, its garbage collector's and compiler's threads included. */
function cpu(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** A xorshift generator: the next number is a 32-bit integer. */
const next = (x: number): number => {
  const y = x ^ (x << 13)
  const z = y ^ (y >>> 17)
  return z ^ (z << 5)
}
/** From a 32-bit integer one in [0, n), for small n. */
const below = (x: number, n: number): number => ((x >>> 8) * n) >>> 24
/** So ordered that the rounds allow the first three, four or five. */
const ORDER: readonly Action[] = ['0', '-', '=', '1', '2']
const any = (view: View, x: number): Action => ORDER[below(x, view.ammo > 1 ? 5 : 3 + view.ammo)] as Action

/** Four bots written apart, as a field's are: the match must not be quick for knowing its one caller. */
function field(): readonly ((view: View) => Action)[] {
  let [a, b, c, d] = [1, 22, 333, 4444]
  return [
    (view) => any(view, (a = next(a))),
    (view) => any(view, (b = next(b))),
    (view) => any(view, (c = next(c))),
    (view) => any(view, (d = next(d))),
  ]
}

/** Duels of everyone against everyone in turn, each one's histories kept. */
class Duels {
  private readonly arena = gunduelArena(gunduel, gunduel.options)
  private readonly pairs = field().flatMap((one, _, all) => all.map((two) => [one, two] as const))
  private readonly luck = newLuck('bench')
  private readonly log = new Uint8Array(DUELS * 2 * gunduel.options.turns)
  private readonly ends = new Uint32Array(DUELS)
  /** Both seats' places, duel by duel. */
  private readonly places = new Uint8Array(2 * DUELS)

  /** Turns a CPU second. */
  run(): number {
    const { arena, pairs, log, ends, places } = this
    const began = cpu()
    let turns = 0
    let at = 0
    for (let n = 0; n < DUELS; n++) {
      const played = arena.match(pairs[n & 15] as (typeof pairs)[number], this.luck)
      turns += played
      const bytes = 2 * played
      for (let i = 0; i < bytes; i++) log[at + i] = arena.log[i] as number
      ends[n] = at += bytes
      const { place } = arena.outcome()
      places[2 * n] = place[0] as number
      places[2 * n + 1] = place[1] as number
    }
    return (turns / (cpu() - began)) * 1e6
  }

  /** Replays a sample of the last run's histories through `play`; throws where one is not a duel from its start to its end. */
  verify(): void {
    for (let n = 0; n < DUELS; n += SAMPLE) {
      let state = gunduel.setup(2, gunduel.options, this.luck)
      const from = n === 0 ? 0 : (this.ends[n - 1] as number)
      for (let at = from; at < (this.ends[n] as number); at += 2) {
        if (gunduel.outcome(state)) throw new Error(`duel ${n} went on after its end`)
        const moves = [...this.log.subarray(at, at + 2)].map((byte) => String.fromCharCode(byte) as Action)
        state = gunduel.play(state, moves)
      }
      const place = gunduel.outcome(state)?.place.join() ?? 'no end'
      const expected = this.places.subarray(2 * n, 2 * n + 2).join()
      if (place !== expected) throw new Error(`duel ${n}: the rules say ${place}, the arena ${expected}`)
    }
  }
}

/** The C++ engine, compiled: turns a CPU second in either mode. */
function compiled(folder: string): (mode: 'fresh' | 'reused') => number {
  const program = join(folder, 'engines')
  const source = join(import.meta.dirname, 'engines.cpp')
  execFileSync('c++', ['-std=c++14', '-O2', source, '-o', program])
  return (mode) => {
    const [turns, seconds] = execFileSync(program, [mode, String(DUELS)])
      .toString()
      .split(' ')
      .map(Number)
    return (turns as number) / (seconds as number)
  }
}

/** Both engines by turns, so that whatever else the machine does meets them alike. */
function gunduelRows(): readonly Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'agon-bench-'))
  try {
    const plain = compiled(folder)
    const duels = new Duels()
    for (let warm = 0; warm < 3; warm++) duels.run()
    const [ours, fresh, reused]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(duels.run())
      duels.verify()
      fresh.push(plain('fresh'))
      reused.push(plain('reused'))
    }
    const value = median(ours)
    const row = (name: string, limit: number, goal: number): Row => ({ name, value, limit, ratio: value / limit, goal })
    return [row('gunduel-fresh', median(fresh), 1.5), row('gunduel-reused', median(reused), 0.7)]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Random bots through setup, view, legal and play, for a second: joint moves a CPU second. */
function plainRow(game: AnyGame): Row {
  const seats = game.seats.min
  let x = 12345
  let turns = 0
  const match = (seed: string): void => {
    let state = game.setup(seats, game.options, newLuck(seed))
    for (let due = game.toMove(state); due.length > 0; due = game.toMove(state)) {
      const moves: (string | undefined)[] = Array.from({ length: seats })
      for (const seat of due) {
        const legal = allActions(game.legal(game.view(state, seat)))
        x = next(x)
        moves[seat] = legal[Math.floor(((x >>> 0) / 2 ** 32) * legal.length)]
      }
      state = game.play(state, moves)
      turns++
    }
  }
  const until = performance.now() + 1000
  for (let n = 0; n < 20; n++) match(`warm ${n}`)
  turns = 0
  const began = cpu()
  for (let n = 0; performance.now() < until; n++) match(String(n))
  return { name: `${game.id}-rules`, value: (turns / (cpu() - began)) * 1e6, limit: null, ratio: null, goal: null }
}

export default async function engines(): Promise<readonly Row[]> {
  return [...gunduelRows(), ...games.map((definition) => plainRow(definition.game))]
}
