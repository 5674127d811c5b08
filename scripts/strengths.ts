// Writes src/games/GAME/bots/strengths.json: how strong the house bots of a game are, the strongest first, as its ladder measures it (agon
// ladder): points for a match, which are wins, and draws for a half, or, where scores count, the mean score.
//   npm run strengths -- [GAME…] [--matches N]   N: repetitions of a pairing, as many as the ladder has if it is left out
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { hostLadder } from '../src/app/compare/ladder.js'
import { houseBots } from '../src/contest/index.js'
import type { GameDefinition } from '../src/core/index.js'
import { games } from '../src/games/index.js'

const { values, positionals: named } = parseArgs({ allowPositionals: true, options: { matches: { type: 'string' } } })
const repetitions = values.matches === undefined ? undefined : Number(values.matches)

/** The names of a game's house bots, the strongest first, each with its points for a match. */
async function strengthsOf(definition: GameDefinition, workspace: string): Promise<[string, number][]> {
  const { id } = definition.game
  const cores = availableParallelism()
  const options = { jobs: cores, timed: cores, matches: repetitions }
  const [any] = houseBots(definition)
  const context = { workspace, notice: (text: string) => console.error(`${id}: ${text}`) }
  const { standings, run, result, leftOut } = await hostLadder(definition, any?.spec.name ?? '', options, context)
  if (leftOut.length > 0) throw new Error(`this machine cannot play ${leftOut.map(({ name }) => name).join(', ')}`)
  const { scoring, format: played } = run.contest
  const { rows } = standings
  const seats = definition.game.seats.max === 2 ? 2 : (played.size ?? rows.length)
  const matches = scoring.by === 'score' ? 1 : ((result.played + result.reused) * seats) / rows.length
  return rows.map(({ name, points }) => [name, Math.round((100 * points) / matches) / 100])
}

const workspace = mkdtempSync(join(tmpdir(), 'agon-strengths-'))
try {
  for (const definition of games.filter(({ game }) => named.length === 0 || named.includes(game.id))) {
    const strengths = Object.fromEntries(await strengthsOf(definition, workspace))
    const path = fileURLToPath(new URL(`../src/games/${definition.game.id}/bots/strengths.json`, import.meta.url))
    writeFileSync(path, `${JSON.stringify(strengths, undefined, 2)}\n`)
  }
} finally {
  rmSync(workspace, { recursive: true })
}
