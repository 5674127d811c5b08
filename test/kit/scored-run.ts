import { fileURLToPath } from 'node:url'
import type { RunOutcome } from '../../src/app/run/table.js'
import { runContest } from '../../src/app/run/run.js'
import type { TestContest } from './stored-run.js'

const DILEMMA = fileURLToPath(new URL('../games/dilemma.ts', import.meta.url))

/**
 * Plays a contest of the iterated dilemma in a place: four turns, everyone with everyone and itself, eight times. Knave betrays, Friend
 * trusts, Coin does either. So Knave has 20 of Friend, 4 of itself; Friend 12 of itself. Returns the files of the contest and its game, and
 * what was played.
 */
export async function playScored(
  place: TestContest,
  format = 'self = true',
): Promise<{ readonly contest: string; readonly gameFile: string; readonly outcome: RunOutcome }> {
  place.write('knave.js', 'export default () => "betray"\n')
  place.write('friend.js', 'export default () => "trust"\n')
  place.write('coin.js', 'export default (view, chance) => (chance.below(2) === 0 ? "trust" : "betray")\n')
  const entrants = ['Knave', 'Friend', 'Coin'].map(
    (name) => `[[entrants]]\nname = "${name}"\nmodule = "${name.toLowerCase()}.js"\n`,
  )
  const contest = place.write(
    'scored.toml',
    `title = "Scored"\ngame = ${JSON.stringify(DILEMMA)}\nseed = "7"\n[options]\nturns = 4\n[format]\nkind = "round-robin"\nrepetitions = 8\n${format}\n${entrants.join('')}`,
  )
  const wished = { out: place.path('scored'), trust: true, jobs: 1, timed: 1 }
  const outcome = await runContest(contest, wished, place.context, () => undefined)
  return { contest, gameFile: DILEMMA, outcome }
}
