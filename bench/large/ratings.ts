import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newLuck, pick } from '../../src/core/index.js'
import { type RatedGame, bradleyTerry } from '../../src/stats/index.js'
import { type Row, quick } from '../kit.js'
import { MAIN } from './stored-run.js'

/** Entrants of the field whose equilibria are asked for, and of the one whose strengths are. */
const FIELD = 200
const LARGE = 1000
const GAMES = 4

/** Equilibria of a field in which everybody meets everybody, and strengths of a large one, dense and sparse. */
export function ratingRows(): readonly Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'agon-bench-ratings-'))
  try {
    const file = join(folder, 'games.csv')
    const lines = gamesOf(FIELD, (a, b) => a < b, GAMES).map(
      ({ entrants: [a, b], place: [first = 0, second = 0] }) =>
        `E${a},E${b},${first === second ? 0.5 : first < second ? 1 : 0}`,
    )
    writeFileSync(file, `first,second,score\n${lines.join('\n')}\n`)
    const sparse = gamesOf(LARGE, (a, b) => (b - a + LARGE) % LARGE <= 3 && a !== b, 1)
    const dense = gamesOf(LARGE, (a, b) => a < b, 1)
    return [
      quick(`rank --by nash,alpha-rank of ${FIELD}, s`, ranked(file, 'nash,alpha-rank'), 2),
      quick(`strengths of ${LARGE}, three rounds, s`, seconds(sparse), 5),
      quick(`strengths of ${LARGE}, everybody against everybody, s`, seconds(dense), 5),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Games of a field whose strengths are spread over some 700 Elo; a tenth are draws. */
function gamesOf(field: number, meet: (a: number, b: number) => boolean, times: number): RatedGame[] {
  let luck = newLuck('ratings')
  const draw = (): number => {
    const [value, next] = pick(luck, THOUSANDTHS)
    luck = next
    return value
  }
  const games: RatedGame[] = []
  for (let a = 0; a < field; a++) {
    for (let b = 0; b < field; b++) {
      if (!meet(a, b)) continue
      const wins = 1 / (1 + Math.exp((4 * (a - b)) / field))
      for (let n = 0; n < times; n++) {
        const chance = draw() / 1000
        const place = chance < 0.1 ? [1, 1] : (chance - 0.1) / 0.9 < wins ? [1, 2] : [2, 1]
        games.push({ entrants: n % 2 === 0 ? [a, b] : [b, a], place: n % 2 === 0 ? place : place.toReversed() })
      }
    }
  }
  return games
}
const THOUSANDTHS = Array.from({ length: 1000 }, (_, i) => i)

function ranked(file: string, rules: string): number {
  const began = performance.now()
  const { status, stderr } = spawnSync(process.execPath, [MAIN, 'rank', file, '--by', rules], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`agon rank ended with ${status}: ${stderr}`)
  return (performance.now() - began) / 1000
}

/** Of one fit with its intervals, and with how probable it is that each is stronger than the next. */
function seconds(games: readonly RatedGame[]): number {
  const began = performance.now()
  const ratings = bradleyTerry(games, LARGE)
  for (let i = 1; i < LARGE; i++) ratings.above(i - 1, i)
  return (performance.now() - began) / 1000
}
