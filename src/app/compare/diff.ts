import { type FormatSpec, type GameDefinition, type Move, isFault, wiresOf, visible } from '../../core/index.js'
import { type Seatable, BotFactory } from '../../engine/index.js'
import { replayAsSeat } from '../../match/index.js'
import type { StoredRun, Store, JobDump } from '../../store/index.js'
import { seatable } from '../../engine/seating.js'
import { whenAborted, type Context } from '../context.js'
import { type IsolationOptions, findBotIsolation } from '../isolation.js'
import { entrantNamed, gameOf, withRun } from '../stored.js'
import { botsReady, entriesNamed } from '../match-host.js'
import { roomsFolder } from '../workspace.js'
import { counted } from '../../text/index.js'

/** Milliseconds for an answer: the old one's time is not judged again. */
export const ANSWER_MS = 60_000

/** Where the new version parted from the old. */
export interface Differing {
  readonly match: string
  /** From 1. */
  readonly turn: number
  readonly was: string
  readonly is: string
}

/** What came of a comparison; `new` as it was named. */
export interface Compared {
  readonly contest: string
  readonly old: string
  readonly new: string
  /** Matches that were compared, and moves in them up to the first that differs. */
  readonly matches: number
  readonly moves: number
  readonly differing: readonly Differing[]
}

/** Which versions are compared. */
export interface CompareOptions extends IsolationOptions {
  /** Of the run; absent: the contest's latest. */
  readonly run?: string
  /** The file of a game that does not come with agon. */
  readonly game?: string
  /** Of the new version. */
  readonly wire?: string
}

/**
 * Leads a new version of a bot through every match that the old one played in a run: it is sent and asked the same, whatever it
 * answers. `contest`: a contest's file, or the name of a game; `old`: an entrant of the run; `word`: a house bot, a file or a command.
 * Throws UserError for what the user can mend, and the signal's reason where it is aborted.
 */
export function compareVersions(
  contest: string,
  old: string,
  word: string,
  options: CompareOptions,
  context: Context,
): Promise<Compared> {
  return withRun(contest, options.run, context, async (store, run) => {
    const definition = await gameOf(run, options.game)
    const index = entrantNamed(run, old)
    const name = run.entrants[index]?.name ?? old
    const entries = entriesNamed(definition, [word], options.wire === undefined ? [] : [options.wire])
    context.signal?.throwIfAborted()
    const isolation = await findBotIsolation(options, entries, context)
    const [built] = await botsReady(definition, entries, { isolation }, context)
    if (built === undefined) throw new Error('a bot was named')
    const memory = run.entrants[index]?.memory ?? built.memory
    // Under the old one's name it has the old one's chance.
    const entrant = seatable({ ...built, name, memory }, isolation, run.contest.limits)
    const compared = await new Comparison(definition, run, index, entrant, context).run(store)
    return { contest: run.contest.title, old: name, new: word, ...compared }
  })
}

/** An entrant in another's seats. */
class Comparison {
  private readonly differing: Differing[] = []
  private matches = 0
  private moves = 0

  constructor(
    private readonly definition: GameDefinition,
    private readonly played: StoredRun,
    private readonly index: number,
    private readonly entrant: Seatable,
    private readonly context: Context,
  ) {}

  async run(store: Store): Promise<Pick<Compared, 'matches' | 'moves' | 'differing'>> {
    const { played, entrant, index } = this
    const { signal, workspace, notice } = this.context
    const { seed, contest } = played
    const rooms = roomsFolder(workspace)
    const wires = wiresOf(this.definition, contest.options)
    const factory = new BotFactory({ seed, wires, rooms: rooms.folder, limits: contest.limits, note: notice })
    let bot = factory.bot(entrant, 'tournament')
    const off = whenAborted(signal, () => void bot.close().catch(() => undefined))
    try {
      for await (const job of store.jobs(played.id)) {
        const own = job.matches.filter(({ seats }) => seats.includes(index))
        if (own.length > 0 && entrant.memory === 'series') {
          await bot.close()
          bot = factory.bot(entrant, seriesOf(own[0]?.record.key ?? '', contest.format))
        }
        for (const match of own) await this.lead(bot, match)
      }
    } finally {
      off()
      await bot.close()
      rooms.remove()
    }
    const { matches, moves, differing } = this
    return { matches, moves, differing }
  }

  /** Up to the first move that differs. */
  private async lead(bot: ReturnType<BotFactory['bot']>, { record, seats }: JobDump['matches'][number]): Promise<void> {
    const { signal } = this.context
    signal?.throwIfAborted()
    this.matches++
    const seat = seats.indexOf(this.index)
    const { limits } = this.played.contest
    const replaying = { definition: this.definition, record, seat, wire: this.entrant.wire, limits, limit: ANSWER_MS }
    for await (const reply of replayAsSeat(bot, replaying)) {
      signal?.throwIfAborted()
      if (reply.asks === 'ready') continue
      const { step, was, now } = reply
      this.moves++
      if (moveText(now) === moveText(was)) continue
      this.differing.push({ match: record.key ?? '', turn: step + 1, was: moveText(was), is: moveText(now) })
      break
    }
  }
}

/** The key of the series that begins with this match: until settled, a series is a block and has its first match's key. */
const seriesOf = (key: string, { settle }: FormatSpec): string => (settle ? key : key.slice(0, key.lastIndexOf('/')))

/** A move in words; of a fault only the kind. */
const moveText = (move: Move<string>): string => (isFault(move) ? `a fault (${move.fault})` : move)

/** Matches that are shown in full. */
const SHOWN = 20

/** A comparison for people: the first moves that differ. `whole`: how the door names the document that lists all of them. */
export function diffText({ contest, old, new: word, matches, moves, differing }: Compared, whole: string): string {
  const head = `${visible(contest)}: ${visible(word)} in the place of ${visible(old)}, ${counted(matches, 'match', 'matches')}`
  if (differing.length === 0) return `${head}: ${moves === 1 ? 'the only move' : `all ${moves} moves`} the same`
  const lines = differing
    .slice(0, SHOWN)
    .map(({ match, turn, was, is }) => `  ${visible(match)}, turn ${turn}: was ${visible(was)}, is ${visible(is)}`)
  const more = differing.length - lines.length
  return [
    `${head}: another move in ${differing.length} of them, the first of each:`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more: ${whole} lists all`] : []),
  ].join('\n')
}
