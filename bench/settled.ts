import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Result, Stopped, TournamentSpec } from '../src/core/index.js'
import type * as Run from '../src/app/run/run.js'
import type * as Contest from '../src/contest/index.js'
import type * as Tournament from '../src/tournament/index.js'
import { settling } from '../test/kit/settling.js'
import type { Row } from './kit.js'

// As it is installed: a run's threads are what was built.
const built = new URL('../dist/', import.meta.url).href
const { runContest } = (await import(`${built}app/run/run.js`)) as typeof Run
const { resolveContest } = (await import(`${built}contest/index.js`)) as typeof Contest
const { createTournament } = (await import(`${built}tournament/index.js`)) as typeof Tournament

const cores = availableParallelism()
const notice = (text: string) => void process.stderr.write(`${text}\n`)

export const measures =
  'matches until the first place is sure: all in turn (value) against chosen ones (limit), the same rule deciding both'

/** Contests of house bots, with the matches in which a deal is played by all orders of seats. */
const CONTESTS = [
  { file: 'samurai', block: 2 },
  { file: 'coup', block: 2 },
  { file: 'negotiate', block: 4 },
] as const

/**
 * Plays each contest until its first place is settled, and then its plain format with ever more repetitions, until the same
 * rule, looked at after each repetition of all, says the same. What both play is played once.
 */
async function compare({ file, block }: (typeof CONTESTS)[number], confidence: number, budget: number): Promise<Row> {
  const place = mkdtempSync(join(tmpdir(), 'agon-settled-'))
  const ref = join('contests', `${file}.toml`)
  const resolved = await resolveContest(ref)
  const settle = { top: 1, confidence, budget }
  const host = (out: string, more: { matches?: number; untilSettled?: number; budget?: number; confidence?: number }) =>
    runContest(
      ref,
      { seed: 'settled', jobs: cores, timed: cores, out: join(place, out), ...more },
      { workspace: join(place, 'workspace'), notice },
    )
  try {
    const chosen = await host('chosen', { untilSettled: 1, budget, confidence })
    const matches = chosen.result.results.size
    const name = `${file}: first place at ${confidence}`
    if (!chosen.result.finished || stoppedOf(chosen.result.results)?.reason !== 'settled')
      return { name: `${name}: open after ${matches} matches`, value: matches, limit: null, ratio: null, goal: null }
    for (let repetitions = 4; ; repetitions *= 2) {
      const plain = await host(`plain-${repetitions}`, { matches: repetitions })
      const results = [...plain.result.results.values()].filter(({ key }) => !key.startsWith('playoff-'))
      const numbers = results.map(({ key }) => Number(key.slice(key.lastIndexOf('/') + 1)))
      for (let last = block; last <= Math.max(...numbers); last += block) {
        const sofar = results.filter((_, i) => (numbers[i] ?? 0) <= last)
        const stopped = stoppedOf(new Map(sofar.map((result) => [result.key, result])))
        if (stopped?.reason === 'settled') {
          return { name, value: sofar.length, limit: matches, ratio: sofar.length / matches, goal: 1.5 }
        }
      }
      if (results.length > budget)
        return {
          name: `${name}: more than`,
          value: results.length,
          limit: matches,
          ratio: results.length / matches,
          goal: 1.5,
        }
    }

    function stoppedOf(results: ReadonlyMap<string, Result>): Stopped | undefined {
      const {
        run: { contest, seed },
        standings,
      } = chosen
      const spec: TournamentSpec = {
        format: { ...contest.format, settle: { ...settle, budget: Infinity } },
        scoring: contest.scoring,
        names: [...standings.rows].sort((a, b) => a.entrant - b.entrant).map((row) => row.name),
        seed,
        seats: resolved.definition.game.seats,
        shuffled: false,
      }
      return createTournament(spec).stopped?.(results)
    }
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Matches a pair that the replayed tournaments draw from, tournaments, and blocks a pair that one may have. */
const [RECORDED, REPLAYS, BLOCKS] = [20, 10, 1500]

/**
 * Contests whose best are too close for a benchmark's time, played again from what was recorded: each pair meets in blocks (both
 * orders of seats) that are drawn from its own, until the first place is settled at 95 %.
 */
async function replayed(file: string): Promise<Row> {
  const place = mkdtempSync(join(tmpdir(), 'agon-settled-'))
  try {
    const ref = join('contests', `${file}.toml`)
    const {
      result,
      run: { contest },
      standings,
    } = await runContest(
      ref,
      { seed: 'replayed', jobs: cores, timed: cores, out: join(place, 'out'), matches: RECORDED },
      { workspace: join(place, 'workspace'), notice },
    )
    const field = standings.rows.length
    /** By pair: what the first of it scored, seated first and seated second. */
    const seen = Array.from({ length: field * field }, (): [number[], number[]] => [[], []])
    for (const { key, seats, outcome } of result.results.values()) {
      if (key.startsWith('playoff-')) continue
      const [one = 0, two = 0] = seats
      const [mine = 0, theirs = 0] = outcome.place
      const score = mine < theirs ? 1 : mine > theirs ? 0 : 0.5
      if (one < two) seen[one * field + two]?.[0].push(score)
      else seen[two * field + one]?.[1].push(1 - score)
    }
    const block = (a: number, b: number, uniform: () => number): readonly [number, number] => {
      const [first = [], second = []] = seen[a * field + b] ?? []
      const drawn = (scores: readonly number[]) => scores[Math.floor(uniform() * scores.length)] ?? 0.5
      return [drawn(first), drawn(second.length > 0 ? second : first)]
    }
    const matches = (chosen: boolean): number => {
      const sums = Array.from({ length: REPLAYS }, (_, n) => {
        const wins = () => 0.5
        return settling({ field, wins, block, top: 1, budget: BLOCKS, batch: field, seed: `${file} ${n}`, chosen })
          .blocks
      })
      return (2 * sums.reduce((sum, each) => sum + each, 0)) / REPLAYS
    }
    const [all, some] = [matches(false), matches(true)]
    const name = `${contest.game}, replayed: first place at 0.95`
    return { name, value: Math.round(all), limit: Math.round(some), ratio: all / some, goal: 1.5 }
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** By default at a confidence that takes minutes; `full`: at the one that `agon run` asks for. */
export default async function settled(full: boolean): Promise<readonly Row[]> {
  // A run catches what bots in this process print, with all that is printed after it.
  const { console } = globalThis
  const rows: Row[] = []
  for (const contest of CONTESTS) rows.push(await compare(contest, full ? 0.95 : 0.6, full ? 20_000 : 600))
  for (const file of ['samurai', 'coup']) rows.push(await replayed(file))
  globalThis.console = console
  return rows
}
