import { type FormatSpec, visible } from '../../core/index.js'
import type { BuiltEntrant } from '../../build/index.js'
import { seatable } from '../../engine/seating.js'
import { counted } from '../../text/index.js'
import type { Context } from '../context.js'
import { findBotIsolation } from '../machine.js'
import { botsReady, entriesNamed } from '../match-host.js'
import { entrantNamed, gameOf, withRun } from '../stored.js'
import { type LedOptions, replayerOf } from './replayer.js'

export type Compared = Awaited<ReturnType<typeof compareVersions>>

/**
 * Leads a new version of a bot through every match that the old one, an entrant of the run, played in it: it is sent and asked the same, whatever it
 * answers. `word`: a house bot, a file or a command, of this `wire`. Throws UserError, and the signal's reason.
 */
export function compareVersions(
  { contest, old, word }: { readonly contest: string; readonly old: string; readonly word: string },
  options: LedOptions & { readonly wire?: string },
  context: Context,
) {
  return withRun(contest, options.run, context, async (store, run) => {
    const definition = await gameOf(run, options.game)
    const index = entrantNamed(run, old)
    const name = run.entrants[index]?.name ?? old
    const entries = entriesNamed(definition, [word], options.wire === undefined ? [] : [options.wire])
    context.signal?.throwIfAborted()
    const isolation = await findBotIsolation(options, entries, context)
    const [built] = (await botsReady(definition, entries, { isolation }, context)) as [BuiltEntrant]
    const memory = run.entrants[index]?.memory ?? built.memory
    // Under the old one's name it has the old one's chance.
    const entrant = seatable({ ...built, name, memory }, isolation, run.contest.limits)
    const replayer = replayerOf(definition, run, context)
    /** Matches that were compared, moves in them up to the first that differs, and that one; turns count from 1. */
    const differing: { match: string; turn: number; was: string; is: string }[] = []
    const compared = { matches: 0, moves: 0, differing }
    try {
      let bot = replayer.start(entrant, 'tournament')
      for await (const job of store.jobs(run.id)) {
        const own = job.matches.filter(({ seats }) => seats.includes(index))
        if (own.length > 0 && memory === 'series') {
          await replayer.end([bot])
          bot = replayer.start(entrant, seriesOf(own[0]?.record.key ?? '', run.contest.format))
        }
        for (const { record, seats } of own) {
          compared.matches++
          for await (const { step, was, now } of replayer.moves(bot, record, seats.indexOf(index))) {
            compared.moves++
            if (now === was) continue
            differing.push({ match: record.key ?? '', turn: step + 1, was, is: now })
            break
          }
        }
      }
    } finally {
      await replayer.close()
    }
    return { contest: run.contest.title, old: name, new: word, ...compared }
  })
}

/** The key of the series that begins with this match: until settled, a series is a block and has its first match's key. */
const seriesOf = (key: string, { settle }: FormatSpec): string => (settle ? key : key.slice(0, key.lastIndexOf('/')))

const MATCHES_SHOWN = 20

/** A comparison for people: the first moves that differ. `whole`: how the door names the document that lists all of them. */
export function diffText({ contest, old, new: word, matches, moves, differing }: Compared, whole: string): string {
  const head = `${visible(contest)}: ${visible(word)} in the place of ${visible(old)}, ${counted(matches, 'match', 'matches')}`
  if (differing.length === 0) return `${head}: ${moves === 1 ? 'the only move' : `all ${moves} moves`} the same`
  const lines = differing
    .slice(0, MATCHES_SHOWN)
    .map(({ match, turn, was, is }) => `  ${visible(match)}, turn ${turn}: was ${visible(was)}, is ${visible(is)}`)
  const more = differing.length - lines.length
  return [
    `${head}: another move in ${differing.length} of them, the first of each:`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more: ${whole} lists all`] : []),
  ].join('\n')
}
