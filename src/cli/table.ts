import { join } from 'node:path'
import { type GameKit, type Options, type Player, UserError, matchLuck, wiresOf, visible } from '../core/index.js'
import { type Prepared, commandBot, prepareBots } from '../contest/index.js'
import { Stable } from '../engine/index.js'
import { type Fixture, playMatch } from '../match/index.js'
import { distinct } from './moves.js'
import { entrantOf } from './prepared.js'
import { tell } from './terminal.js'
import { roomsFolder, workspaceFolder } from './workspace.js'

/** What the verbs that play a single match have in common. */
export interface TableOptions {
  readonly seed: string
  readonly options: Options
  /** Milliseconds by name, and `output` in bytes. */
  readonly limits: Readonly<Record<string, number>>
  readonly wire?: string
}

/** Bots as the command line names them, built and ready to be seated. Throws UserError where one cannot play. */
export async function botsNamed(kit: GameKit, words: readonly string[], wire: string | undefined): Promise<Prepared[]> {
  const entries = words.map((word) => commandBot(word, kit, wire))
  const names = distinct(entries.map(({ spec }) => spec.name))
  const prepared = await prepareBots(
    entries.map((entry, i) => ({ ...entry, spec: { ...entry.spec, name: names[i] ?? entry.spec.name } })),
    kit,
    { workspace: workspaceFolder(), onNote: (text) => tell(visible(text)) },
  )
  return prepared.map((bot) => {
    if (!bot.admitted) throw new UserError(`${bot.name} cannot play: ${bot.why}`)
    return bot
  })
}

/** A table with bots in its first seats: their players, and what the match is. Closed by `close`. */
export interface Table {
  readonly fixture: Fixture
  readonly players: readonly Player[]
  /** The end of what a bot wrote to its standard error. */
  stderr(seat: number): string
  close(): Promise<void>
}

/** Seats bots; `others` sit behind them, with their names. */
export function seatBots(
  kit: GameKit,
  bots: readonly Prepared[],
  table: TableOptions,
  others: readonly { name: string; player: Player }[] = [],
): Table {
  const { min, max } = kit.game.seats
  const seats = bots.length + others.length
  if (seats < min || seats > max)
    throw new UserError(
      `${kit.game.id} is played by ${min === max ? min : `${min} to ${max}`}, and ${seats} ${seats === 1 ? 'is' : 'are'} given`,
    )
  const { folder, remove } = roomsFolder(workspaceFolder())
  const stable = new Stable({
    seed: table.seed,
    wires: wiresOf(kit, table.options),
    rooms: join(folder, 'bots'),
    limits: table.limits,
    note: (text) => tell(visible(text)),
  })
  const seated = bots.map((bot) => stable.bot(entrantOf(bot), 'match'))
  const who = [
    ...bots.map(({ name, wire }) => ({ entrant: name, wire })),
    ...others.map(({ name }) => ({ entrant: name, wire: 'module' })),
  ]
  return {
    fixture: {
      agon: 1,
      key: 'match',
      game: kit.game.id,
      version: kit.game.version,
      options: table.options,
      luck: matchLuck(
        table.seed,
        kit.game.id,
        who.map(({ entrant }) => entrant),
        0,
      ),
      field: seats,
      seats: who.map((seat, id) => ({ ...seat, id })),
    },
    players: [...seated, ...others.map(({ player }) => player)],
    stderr: (seat) => stable.stderr(bots[seat]?.name ?? ''),
    close: async () => {
      await Promise.all(seated.map((bot) => bot.close()))
      remove()
    },
  }
}

/** Plays one match at a table, and clears the table. */
export async function playAtTable(
  kit: GameKit,
  table: Table,
  limits: Readonly<Record<string, number>>,
  onStep?: Parameters<typeof playMatch>[0]['onStep'],
) {
  try {
    return await playMatch({ fixture: table.fixture, kit, players: table.players, limits, ...(onStep && { onStep }) })
  } finally {
    await table.close()
  }
}

/** Ctrl-C ends this process by its exit, which takes the bots along. */
export function endBotsOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
}
