import { playable } from '../test/kit/records.js'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bot, GameDefinition } from '../src/core/index.js'
import type * as Core from '../src/core/index.js'
import type * as Contests from '../src/contest/index.js'
import type * as Engine from '../src/engine/index.js'
import type { JobRequest, WorkerPool } from '../src/engine/index.js'
import type * as Games from '../src/games/index.js'
import type { Row } from './kit.js'
import { median } from './kit.js'
import { cellRow } from './modules/cells.js'
import { othelloDefinition as othello } from './modules/othello.js'
import { programRow } from './modules/program.js'

/** What was compiled, as it is installed: tsx gives every function its name again each time it is made. */
const built = async <T>(file: string): Promise<T> =>
  (await import(new URL(`../dist/${file}`, import.meta.url).href)) as T
const { allActions, newLuck, takesLegal } = await built<typeof Core>('core/index.js')
const { Arena, workersHere } = await built<typeof Engine>('engine/index.js')
const { games } = await built<typeof Games>('games/index.js')

export const measures =
  'modules in sandboxes against trusted ones, duels a second; trusted ones through the referee against the bare rules, steps a CPU second; and a game program, steps a second, against one that costs 100 µs a step beside its own work'

const ROUNDS = 7
const ROUND_MS = 500

type Answer = Bot<unknown, string>
/** The bot of a seat, as new for the match of that number. */
type Field = (match: number, seat: number) => Answer

function cpu(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** A xorshift generator: a number in [0, 1). */
function random(from: number): () => number {
  let x = from
  return () => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    return (x >>> 0) / 2 ** 32
  }
}

/** Any legal action, of those that a bot is given. */
const anyone: Field = (match, seat) => {
  const next = random(7 * match + seat + 1)
  return (_view, _chance, legal) => legal[Math.floor(next() * legal.length)] as string
}

/** Modules that ship with a game, each against each in turn. They hold nothing in variables. */
async function house(game: string, files: readonly string[]): Promise<Field> {
  const bots = await Promise.all(
    files.map(async (file) => (await built<{ default: Answer }>(`games/${game}/bots/${file}.js`)).default),
  )
  return (match, seat) => bots[(match >> seat) % bots.length] as Answer
}

/** One game's contenders: the referee, and a loop that asks the same bots and keeps nothing. */
class Contest {
  private n = 0
  private readonly names = ['One', 'Two']
  private readonly workers: WorkerPool

  constructor(
    private readonly definition: GameDefinition,
    private readonly bots: Field,
    rooms: string,
  ) {
    const entrants = this.names.map((name, seat) => {
      const load = (): Promise<Answer> => Promise.resolve(bots(this.n, seat))
      return { name, wire: 'module', memory: 'match', run: { kind: 'module', load } } as const
    })
    const arena = new Arena(playable(definition, entrants, { seed: 'modules' }), { rooms }, console.error)
    this.workers = workersHere(arena)
  }

  /** Steps a CPU second through the arena, as a run's workers play. */
  async refereed(): Promise<number> {
    const until = performance.now() + ROUND_MS
    const began = cpu()
    let steps = 0
    while (performance.now() < until) {
      const key = String(this.n++)
      const job: JobRequest = { job: { key, pairings: [{ key, seats: [0, 1], deal: this.n }] }, disturbed: 0, key }
      for (const response of await this.workers.play([job]))
        if ('records' in response) for (const record of response.records) steps += record.steps.length
    }
    return (steps / (cpu() - began)) * 1e6
  }

  /** Steps a CPU second of the rules alone: nothing is looked at that a bot answers. */
  bare(): number {
    const { game } = this.definition
    const until = performance.now() + ROUND_MS
    const began = cpu()
    let steps = 0
    while (performance.now() < until) {
      const n = this.n++
      const next = random(n + 1)
      const chance = { seed: n, random: next, below: (items: number) => Math.floor(next() * items) }
      const bots = this.names.map((_, seat) => this.bots(n, seat))
      let state = game.setup(2, game.options, newLuck(String(n)))
      for (let due = game.toMove(state); due.length > 0; due = game.toMove(state)) {
        const moves: (string | undefined)[] = [undefined, undefined]
        for (const seat of due) {
          const [bot, view] = [bots[seat] as Answer, game.view(state, seat)]
          moves[seat] = bot(view, chance, takesLegal(bot) ? allActions(game.legal(view)) : []) as string
        }
        state = game.play(state, moves)
        steps++
      }
      if (game.outcome(state) === undefined) throw new Error('a match without an outcome')
    }
    return (steps / (cpu() - began)) * 1e6
  }

  close(): Promise<unknown> {
    return this.workers.close()
  }
}

/** Both by turns, so that whatever else the machine does meets them alike. Without a goal: what the referee adds to bots that do not think. */
async function row(
  name: string,
  definition: GameDefinition,
  bots: Field,
  rooms: string,
  goal: number | null,
): Promise<Row> {
  const contest = new Contest(definition, bots, rooms)
  const [values, limits, ratios]: [number[], number[], number[]] = [[], [], []]
  await contest.refereed()
  contest.bare()
  for (let round = 0; round < ROUNDS; round++) {
    const [value, limit] = [await contest.refereed(), contest.bare()]
    values.push(value)
    limits.push(limit)
    ratios.push(value / limit)
  }
  await contest.close()
  return { name, value: median(values), limit: median(limits), ratio: median(ratios), goal }
}

const definitionOf = (id: string): GameDefinition => games.find(({ game }) => game.id === id) as GameDefinition

export default async function modules(): Promise<readonly Row[]> {
  const rooms = mkdtempSync(join(tmpdir(), 'agon-bench-modules-'))
  const [samurai, coup] = [definitionOf('samurai'), definitionOf('coup')]
  try {
    return [
      cellRow('cell', 'series', rooms, 0.3),
      cellRow('cell-match', 'match', rooms, 0.3),
      await row('samurai', samurai, await house('samurai', ['abacus']), rooms, 0.4),
      await row('coup', coup, await house('coup', ['ledger', 'quill', 'velvet']), rooms, 0.4),
      await row('board', othello, anyone, rooms, 0.4),
      await row('samurai-random', samurai, anyone, rooms, null),
      await row('coup-random', coup, anyone, rooms, null),
      await programRow(await built<typeof Contests>('contest/index.js')),
    ]
  } finally {
    rmSync(rooms, { recursive: true, force: true })
  }
}
