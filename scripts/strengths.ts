// Writes src/games/strengths.ts: how strong the house bots of each game are, as many matches of its ladder measure it. Games that are named are
// measured anew, and no others.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { hostLadder } from '../src/app/compare/ladder.js'
import { houseBots } from '../src/contest/index.js'
import type { GameDefinition } from '../src/core/index.js'
import { STRENGTHS, games } from '../src/games/index.js'

/** Repetitions of a pairing. */
const REPETITIONS: Readonly<Record<string, number>> = {
  gunduel: 40,
  coup: 40,
  samurai: 8,
  negotiate: 4,
  stronger: 10,
  kuhn: 2000,
  leduc: 2000,
}

/** The names of a game's house bots, the strongest first, each with its points for a match. */
async function strengthsOf(definition: GameDefinition, workspace: string): Promise<[string, number][]> {
  const { id } = definition.game
  const cores = availableParallelism()
  const options = { jobs: cores, timed: cores, matches: REPETITIONS[id] }
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
const named = process.argv.slice(2)
const measured: Record<string, Readonly<Record<string, number>>> = { ...STRENGTHS }
try {
  for (const definition of games.filter(({ game }) => named.length === 0 || named.includes(game.id)))
    measured[definition.game.id] = Object.fromEntries(await strengthsOf(definition, workspace))
} finally {
  rmSync(workspace, { recursive: true })
}
const text = `/**
 * How strong the house bots of each game are, the strongest first: points for a match of the game's ladder (\`agon ladder\`), which are wins, and
 * draws for a half, or, where scores count, the mean score. \`npm run strengths\` measures them anew and writes this file.
 */
export const STRENGTHS: Readonly<Record<string, Readonly<Record<string, number>>>> = ${JSON.stringify(measured)}
`
const path = fileURLToPath(new URL('../src/games/strengths.ts', import.meta.url))
writeFileSync(path, await format(text, { ...(await resolveConfig(path)), filepath: path }))
