import type { Command } from 'commander'
import { type FormatSpec, type Move, isFault, visible, wiresOf } from '../core/index.js'
import { Stable } from '../engine/index.js'
import { replayAsSeat } from '../match/index.js'
import { holdingFor } from '../app/holding.js'
import { entrantOf } from '../workers/entrants.js'
import { entrantNamed, gameOf, withRun } from '../app/stored.js'
import { endBotsOnSignals } from './signals.js'
import { botsReady, entriesNamed } from '../app/table.js'
import { print, tell } from './terminal.js'
import { counted } from '../text/index.js'
import { roomsFolder } from '../app/workspace.js'
import {
  type GamedFlags,
  type IsolationFlags,
  addGamedOptions,
  addIsolationOptions,
  contextOf,
  isolationOf,
  workspaceFolder,
} from './options.js'

const HELP = `
The new version is led through every match that the old one played in the run: it
is told and asked the same, whatever it answers. Shown is the first move of each
match in which it does otherwise.

Examples:
  agon diff friday.toml Ant "python3 new/ant.py"
  agon diff samurai Hedgehog ./hedgehog --json | jq '.differing[].turn'`

/** Matches that are shown in full. */
const SHOWN = 20
/** Milliseconds for an answer: the old one's time is not judged again. */
export const PATIENCE = 60_000

interface Asked extends GamedFlags, IsolationFlags {
  readonly wire?: string
  readonly json?: boolean
}

/** Where the new version parted from the old. */
interface Differing {
  readonly match: string
  /** From 1. */
  readonly turn: number
  readonly was: string
  readonly is: string
}

interface Compared {
  readonly contest: string
  readonly old: string
  readonly new: string
  /** Matches that were compared, and moves in them up to the first that differs. */
  readonly matches: number
  readonly moves: number
  readonly differing: readonly Differing[]
}

export function diffCommand(command: Command): void {
  addIsolationOptions(addGamedOptions(command))
    .argument('<contest>', 'a contest whose latest run is meant')
    .argument('<old>', 'an entrant of it, by its name')
    .argument('<new>', "its new version: a file, a quoted command, or a house bot's name")
    .option('--wire <name>', 'the wire of the new version')
    .option('--json', 'one JSON document on standard output')
    .addHelpText('after', HELP)
    .action(async (ref: string, old: string, word: string, given: Asked) => {
      endBotsOnSignals()
      const compared = await compare(ref, old, word, given)
      print(given.json ? JSON.stringify(compared, undefined, 2) : diffText(compared))
    })
}

function compare(ref: string, old: string, word: string, given: Asked): Promise<Compared> {
  return withRun(ref, given.run, contextOf(given), async (store, run) => {
    const kit = await gameOf(run, given.game)
    const index = entrantNamed(run, old)
    const name = run.plan.names[index] ?? old
    const entries = entriesNamed(kit, [word], given.wire)
    const holding = await holdingFor(isolationOf(given), entries, contextOf(given))
    const [built] = await botsReady(kit, entries, holding, contextOf(given))
    if (built === undefined) throw new Error('a bot was named')
    const { limits, options } = run.plan
    const memory = (await store.entrants(run.id))[index]?.memory ?? built.memory
    // Under the old one's name it has the old one's chance.
    const entrant = entrantOf({ ...built, name, memory }, holding, limits)
    const rooms = roomsFolder(workspaceFolder(given.workspace))
    const stable = new Stable({
      seed: run.seed,
      wires: wiresOf(kit, options),
      rooms: rooms.folder,
      limits,
      note: (text) => tell(visible(text)),
    })
    const differing: Differing[] = []
    let matches = 0
    let moves = 0
    let bot = stable.bot(entrant, 'tournament')
    try {
      for await (const unit of store.units(run.id)) {
        const own = unit.matches.filter(({ seats }) => seats.includes(index))
        if (own.length > 0 && memory === 'series') {
          await bot.close()
          bot = stable.bot(entrant, seriesOf(own[0]?.record.key ?? '', run.plan.format))
        }
        for (const { record, seats } of own) {
          matches++
          const replaying = { kit, record, seat: seats.indexOf(index), wire: built.wire, limit: PATIENCE }
          for await (const reply of replayAsSeat(bot, replaying)) {
            if (reply.asks === 'ready') continue
            const { step, was, now } = reply
            moves++
            if (moveText(now) === moveText(was)) continue
            differing.push({ match: record.key ?? '', turn: step + 1, was: moveText(was), is: moveText(now) })
            break
          }
        }
      }
    } finally {
      await bot.close()
      rooms.remove()
    }
    return { contest: run.title, old: name, new: word, matches, moves, differing }
  })
}

/** The key of the series that begins with this match: until settled, a series is a block and has its first match's key. */
const seriesOf = (key: string, { settle }: FormatSpec): string => (settle ? key : key.slice(0, key.lastIndexOf('/')))

/** A move in words; what a fault was is not of interest here, only which. */
const moveText = (move: Move<string>): string => (isFault(move) ? `a fault (${move.fault})` : move)

function diffText({ contest, old, new: word, matches, moves, differing }: Compared): string {
  const head = `${visible(contest)}: ${visible(word)} in the place of ${visible(old)}, ${counted(matches, 'match', 'matches')}`
  if (differing.length === 0) return `${head}: ${moves === 1 ? 'the only move' : `all ${moves} moves`} the same`
  const lines = differing
    .slice(0, SHOWN)
    .map(({ match, turn, was, is }) => `  ${visible(match)}, turn ${turn}: was ${visible(was)}, is ${visible(is)}`)
  const more = differing.length - lines.length
  return [
    `${head}: another move in ${differing.length} of them, the first of each:`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more: --json lists all`] : []),
  ].join('\n')
}
