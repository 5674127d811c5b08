import { join } from 'node:path'
import { type GameDefinition, UserError, visible } from '../../core/index.js'
import { houseBots, resolveContest } from '../../contest/index.js'
import { parseHosted } from '../../contest/parse.js'
import { games } from '../../games/index.js'
import type { Context } from '../context.js'
import type { IsolationOptions, Jobs } from '../machine.js'
import { entriesNamed } from '../match-host.js'
import { withStore } from '../open-store.js'
import type { RunEvent } from '../run/options.js'
import type { RunOutcome } from '../run/table.js'
import { runParsed } from '../run/run.js'

interface LadderOptions extends IsolationOptions, Jobs {
  /** Of a command; absent: the game's standard. */
  readonly wires?: readonly string[]
  /** Repetitions of a pairing; absent: as many as a first look at the game's own contest has, and 4 of a game that has none. */
  readonly matches?: number
  readonly on?: (news: RunEvent) => void
}

/**
 * Plays a bot (a file, a command, or a house bot's name) against all house bots of a game, and these against each other: in pairs where two play, else
 * all at once or in groups. What was played is stored: the next bot plays only its own matches. Throws UserError.
 */
export async function hostLadder(
  definition: GameDefinition,
  word: string,
  options: LadderOptions,
  context: Context,
): Promise<RunOutcome & { readonly bot: string }> {
  const { id } = definition.game
  const house = houseBots(definition).map(({ spec }) => spec.name)
  if (house.length === 0) throw new UserError(`${visible(id)} has no house bots to play against`)
  const [own] = entriesNamed(definition, [word], options.wires)
  const entered = own === undefined || own.house ? [] : [own]
  // As a first look at the game's own contest is played, if it has one.
  const usual = games.includes(definition) ? (await resolveContest(id)).contest : undefined
  const { matches = usual?.format.repetitions ?? 4, on = () => undefined, ...rest } = options
  // The same seed each time: the same matches.
  const text = [
    `title = ${JSON.stringify(`${definition.title}: its house bots`)}`,
    `game = ${JSON.stringify(id)}`,
    'seed = "the ladder of the house bots"',
    `house = ${JSON.stringify(house)}`,
    ...(usual?.memory === 'match' ? ['memory = "match"'] : []),
    `format = { repetitions = ${matches} }`,
  ]
  const out = join(context.workspace, 'ladders', id)
  const resolved = await parseHosted(text.join('\n'), `${out}.toml`, [definition], entered)
  const kept = { ...rest, out, results: false, fresh: true }
  const outcome = await withStore(context, (store) => runParsed(resolved, kept, { ...context, store }, on), true)
  return { bot: own?.spec.name ?? word, ...outcome }
}

export function ladderLine({ bot, standings }: { readonly bot: string } & Pick<RunOutcome, 'standings'>): string {
  const { rows } = standings
  const at = rows.findIndex(({ name }) => name === bot)
  const [before, own, after] = [rows[at - 1], rows[at], rows[at + 1]]
  if (own === undefined) return `${visible(bot)} was left out`
  const around = [before && `behind ${visible(before.name)}`, after && `before ${visible(after.name)}`].filter(Boolean)
  return `${visible(bot)} is number ${own.rank} of ${rows.length}${around.length === 0 ? '' : `, ${around.join(' and ')}`}`
}
