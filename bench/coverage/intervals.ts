import { type RatedGame, bradleyTerry, plackettLuce } from '../../src/stats/index.js'
import { stream } from '../../src/stats/stream.js'
import { held, playedByMany } from '../../test/kit/players.js'
import type { Row } from '../kit.js'
import { type Law, LAWS, played } from './laws.js'
import { coverage, errors, times } from './rows.js'

const named = (...names: readonly string[]): readonly Law[] => LAWS.filter(({ name }) => names.includes(name))

/** Bradley and Terry's intervals, each by itself, and Plackett and Luce's. */
export const intervals = (runs: number): readonly Row[] => [
  ...LAWS.map((law) => {
    const luck = stream('bench', law.name)
    const what = `Bradley–Terry, ${law.name}: ${law.elo.join(' ')}, ${law.games} games a pair`
    return coverage(
      what,
      times(runs, () => held(bradleyTerry(played(law, luck), law.elo.length), law.elo)),
    )
  }),
  forMany([200, 100, 50, -50, -100, -200], 4, 40, 9, runs),
  forMany([200, 100, 0, -100, -200], 5, 100, 1, runs),
]

function forMany(elo: readonly number[], seats: number, games: number, ranked: number, runs: number): Row {
  const luck = stream('bench', elo.join(), seats, games, ranked)
  const company = (): number[] => {
    const left = elo.map((_, i) => i)
    return times(seats, () => left.splice(luck.below(left.length), 1)[0] ?? 0)
  }
  const what = `${games} games of ${seats}, ${ranked === 1 ? 'the winner' : 'all places'} ranked`
  const field = (): readonly RatedGame[] => times(games, () => playedByMany(luck, elo, company(), ranked))
  return coverage(
    `Plackett–Luce: ${elo.join(' ')}, ${what}`,
    times(runs, () => held(plackettLuce(field(), elo.length), elo)),
  )
}

/** Whether all intervals of a field hold at once, where they are said to. */
export const simultaneous = (runs: number): readonly Row[] =>
  named('equal', 'spread', 'sixteen, with draws', 'the seat worth 200', 'far apart').map((law) => {
    const luck = stream('simultaneous', law.name)
    const confidence = 0.95 ** (1 / law.elo.length)
    const all = times(runs, () => held(bradleyTerry(played(law, luck), law.elo.length, { confidence }), law.elo))
    return coverage(
      `all at once, ${law.name}`,
      all.map((share) => (share === 1 ? 1 : 0)),
    )
  })

/** Of neighbours called sure at 97.5 %, how many stand the wrong way round. */
export const superior = (runs: number): readonly Row[] =>
  named('equal', 'near equal', 'spread', 'mirrored luck', 'half mirrored luck').map((law) => {
    const luck = stream('superior', law.name)
    let wrong = 0
    for (let n = 0; n < runs; n++) {
      const p = bradleyTerry(played(law, luck), law.elo.length).above(0, 1)
      if (p < 0.025 || (law.elo[0] === law.elo[1] && p > 0.975)) wrong++
    }
    return errors(`called sure and wrong: the first two of ${law.name}`, wrong, runs)
  })
