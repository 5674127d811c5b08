import { availableParallelism } from 'node:os'
import { prepareEntrants, wasBuilt } from '../../build/index.js'
import { resolveContest } from '../../contest/index.js'
import { type MatchRecord, UserError, visible } from '../../core/index.js'
import { type Seatable, Semaphore } from '../../engine/index.js'
import { seatable } from '../../engine/seating.js'
import { likeness } from '../../lab/index.js'
import { stream } from '../../stats/stream.js'
import type { Store, StoredRun } from '../../store/index.js'
import { aligned, percent } from '../../text/index.js'
import type { Context } from '../context.js'
import { type IsolationOptions, findBotIsolation } from '../machine.js'
import { forgetful } from '../match-host.js'
import { gameOf, withRun } from '../stored.js'
import { type LedOptions, replayerOf } from './replayer.js'

/** At most this part of the views from one match: successive positions are much alike. */
const PART = 10

/** Pairs name the bots by their index, the most alike first. */
export type Twins = Awaited<ReturnType<typeof findTwins>>

/**
 * Leads a contest's bots through the same matches of a run, in the same seats, and compares their moves. Throws UserError, and the signal's reason.
 */
export function findTwins(contest: string, options: LedOptions & { readonly views: number }, context: Context) {
  return withRun(contest, options.run, context, async (store, run) => {
    const definition = await gameOf(run, options.game)
    const bots = await botsOf(contest, run, options, context)
    const replayer = replayerOf(definition, run, context)
    const cores = new Semaphore(availableParallelism())
    /** Up to so many moves; undefined: a fault. */
    const movesOf = async (entrant: Seatable, record: MatchRecord, seat: number, most: number) => {
      const bot = replayer.start(entrant, record.key ?? '')
      const made: (string | undefined)[] = []
      for await (const { now, faulty } of replayer.moves(bot, record, seat)) {
        made.push(faulty ? undefined : now)
        if (made.length === most) break
      }
      await replayer.end([bot])
      return made
    }
    const answers: (string | undefined)[][] = bots.map(() => [])
    /** By view, its match. */
    const from: number[] = []
    let matches = 0
    try {
      for (const { match, seat } of await sampled(store, run)) {
        if (from.length >= options.views) break
        context.signal?.throwIfAborted()
        const record = await store.recordOf(match)
        const most = Math.min(options.views - from.length, Math.max(1, Math.ceil(options.views / PART)))
        const moves = await Promise.all(bots.map((bot) => cores.run(() => movesOf(bot, record, seat, most))))
        matches++
        const asked = Math.max(...moves.map((made) => made.length))
        moves.forEach((made, i) => answers[i]?.push(...Array.from({ length: asked }, (_, v) => made[v])))
        for (let v = 0; v < asked; v++) from.push(matches)
      }
    } finally {
      await replayer.close()
    }
    const names = bots.map(({ name }) => name)
    return { title: run.contest.title, names, matches, views: from.length, pairs: likeness(answers, from) }
  })
}

export const twinsDocument = ({ title, names, matches, views, pairs }: Twins): unknown => ({
  contest: title,
  matches,
  views,
  pairs: pairs.map(({ pair: [a, b], ...rest }) => ({ pair: [names[a], names[b]], ...rest })),
})

/** The run's entrants as the contest has them now. */
async function botsOf(contest: string, run: StoredRun, options: IsolationOptions, context: Context) {
  const { workspace, notice, signal } = context
  const resolved = await resolveContest(contest)
  const isolation = await findBotIsolation(options, resolved.entries, context)
  const prepared = await prepareEntrants(resolved, { workspace, isolation, onNote: notice })
  signal?.throwIfAborted()
  const ready = prepared.filter(wasBuilt).filter(({ name }) => run.entrants.some((entrant) => entrant.name === name))
  if (ready.length < 3)
    throw new UserError(`${ready.length} bots of the run can play, and the comparison needs 3 or more`)
  // Each match is a life of its own: other answers did not lead to these views.
  return ready.map((one) => seatable(forgetful(one), isolation, run.contest.limits))
}

/** Matches in an order by lot, each with a seat. */
async function sampled(store: Store, { id, seed }: StoredRun): Promise<readonly { match: number; seat: number }[]> {
  const luck = stream('twins', seed)
  const matches = await store.matches(id)
  const keyed = [...matches].sort((a, b) => (a.key < b.key ? -1 : 1))
  for (let i = keyed.length - 1; i > 0; i--) {
    const j = luck.below(i + 1)
    ;[keyed[i], keyed[j]] = [keyed[j] as (typeof keyed)[number], keyed[i] as (typeof keyed)[number]]
  }
  return keyed.map(({ id: match, seats }) => ({ match, seat: luck.below(seats.length) }))
}

/** Pairs that are shown at least, however unlike. */
const SHOWN = 5
/** Below this, a pair is listed, however many there are. */
const ALIKE = 0.05

export function twinsText({ title, names, matches, views, pairs }: Twins): string {
  const alike = pairs.filter(({ adjusted }) => adjusted < ALIKE).length
  const shown = pairs.slice(0, Math.max(SHOWN, alike))
  const name = (index: number) => visible(names[index] ?? '')
  const table = aligned([
    { head: 'Pair', cells: shown.map(({ pair: [a, b] }) => `${name(a)}, ${name(b)}`), right: false },
    { head: 'Views', cells: shown.map((one) => String(one.views)), right: true },
    { head: 'Agree', cells: shown.map(({ agreement }) => percent(agreement)), right: true },
    { head: 'Expected', cells: shown.map(({ expected }) => percent(expected)), right: true },
    { head: 'p', cells: shown.map(({ adjusted }) => probability(adjusted)), right: true },
  ])
  return [
    `${visible(title)}: ${views} views of ${matches} matches, answered by ${names.length} bots`,
    '',
    table,
    alike === 0
      ? 'No two behave more alike than chance would have it.'
      : `${alike === 1 ? 'One pair behaves' : `${alike} pairs behave`} more alike than chance would have it. So do bots that were written apart and share a wrong answer: where the weakest of eight did, half of the fields had such a pair. It is a reason to look, and no proof of anything.`,
  ].join('\n')
}

const probability = (p: number): string => (p < 0.001 ? '< 0.001' : p.toFixed(3))
