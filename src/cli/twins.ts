import { availableParallelism } from 'node:os'
import type { Command } from 'commander'
import { type Likeness, likeness } from '../analysis/index.js'
import { UserError, isFault, visible, wiresOf } from '../core/index.js'
import { stream } from '../core/stream.js'
import { resolveContest } from '../contest/index.js'
import { type Prepared, prepareEntrants } from '../build/index.js'
import { type Entrant, Stable } from '../engine/index.js'
import { replayAsSeat } from '../match/index.js'
import type { RunSummary, Store } from '../store/index.js'
import { aligned, percent } from '../text/index.js'
import { count } from './counts.js'
import { PATIENCE } from './diff.js'
import { holdingFor } from '../app/holding.js'
import { entrantOf } from '../workers/entrants.js'
import { gameOf, withRun } from '../app/stored.js'
import { endBotsOnSignals } from './signals.js'
import { print, tell } from './terminal.js'
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
Every bot of the contest is led through the same matches of the latest run, in the
same seats, and its moves are compared. p is the probability that two bots agree as
often if on each view by itself the moves were dealt anew among the bots, times the
number of pairs. It says that behaviour is alike, not why: two authors may have
read the same article. It accuses nobody.

Examples:
  agon twins friday.toml
  agon twins samurai --views 1000 --json`

/** Pairs that are shown at least, however unlike. */
const SHOWN = 5
/** Below this, a pair is listed, however many there are. */
const ALIKE = 0.05
/** Of one match no more than this part of the views: positions that follow each other are much the same. */
const PART = 10

interface Asked extends GamedFlags, IsolationFlags {
  readonly views: number
  readonly json?: boolean
}

interface Twins {
  readonly title: string
  readonly names: readonly string[]
  readonly matches: number
  readonly views: number
  readonly pairs: readonly Likeness[]
}

export function twinsCommand(command: Command): void {
  addIsolationOptions(addGamedOptions(command))
    .argument('<contest>', 'a contest file (.toml), or the name of a game, that has been run')
    .option('--views <n>', 'positions to be answered by every bot', count, 200)
    .option('--json', 'one JSON document on standard output')
    .addHelpText('after', HELP)
    .action(async (ref: string, given: Asked) => {
      endBotsOnSignals()
      const twins = await withRun(ref, given.run, contextOf(given), (store, run) => compareAll(ref, store, run, given))
      print(given.json ? JSON.stringify(documentOf(twins), undefined, 2) : twinsText(twins))
    })
}

async function compareAll(ref: string, store: Store, run: RunSummary, given: Asked): Promise<Twins> {
  const kit = await gameOf(run, given.game)
  const workspace = workspaceFolder(given.workspace)
  const bots = await botsOf(ref, run, workspace, given)
  const { limits, options } = run.plan
  const rooms = roomsFolder(workspace)
  const stable = new Stable({
    seed: run.seed,
    wires: wiresOf(kit, options),
    rooms: rooms.folder,
    limits,
    note: (text) => tell(visible(text)),
  })
  const names = bots.map(({ name }) => name)
  const answers: (string | undefined)[][] = bots.map(() => [])
  let matches = 0
  let views = 0
  try {
    for (const { match, seat } of await sampled(store, run)) {
      if (views >= given.views) break
      const record = await store.recordOf(match)
      const most = Math.min(given.views - views, Math.max(1, Math.ceil(given.views / PART)))
      const moves = await inTurns(bots, async (entrant) => {
        const bot = stable.bot(entrant, record.key ?? '')
        const made: (string | undefined)[] = []
        try {
          const replaying = { kit, record, seat, wire: entrant.wire, limit: PATIENCE }
          for await (const reply of replayAsSeat(bot, replaying)) {
            if (reply.asks === 'ready') continue
            made.push(isFault(reply.now) ? undefined : reply.now)
            if (made.length === most) break
          }
        } finally {
          await bot.close()
        }
        return made
      })
      matches++
      const asked = Math.max(...moves.map((made) => made.length))
      moves.forEach((made, i) => answers[i]?.push(...Array.from({ length: asked }, (_, v) => made[v])))
      views += asked
    }
  } finally {
    rooms.remove()
  }
  return { title: run.title, names, matches, views, pairs: likeness(answers) }
}

/** The contest's entrants as they are now, those that were in the run. */
async function botsOf(ref: string, run: RunSummary, workspace: string, given: Asked): Promise<readonly Entrant[]> {
  const resolved = await resolveContest(ref)
  const holding = await holdingFor(isolationOf(given), resolved.entries, contextOf(given))
  const prepared = await prepareEntrants(resolved, { workspace, hold: holding, onNote: (text) => tell(visible(text)) })
  const ready = prepared.filter((one): one is Prepared => one.admitted && run.plan.names.includes(one.name))
  if (ready.length < 3)
    throw new UserError(`${ready.length} bots of the run can play, and to tell what is alike takes 3 or more`)
  // Each match is a life of its own: what they answered in others is not what these views led to.
  return ready.map((one) =>
    entrantOf({ ...one, memory: one.memory === 'turn' ? 'turn' : 'match' }, holding, run.plan.limits),
  )
}

/** The run's matches in an order by lot, each with a seat to sit in. */
async function sampled(store: Store, { id, seed }: RunSummary): Promise<readonly { match: number; seat: number }[]> {
  const luck = stream('twins', seed)
  const matches = await store.matches(id)
  const keyed = [...matches].sort((a, b) => (a.place < b.place ? -1 : 1))
  for (let i = keyed.length - 1; i > 0; i--) {
    const j = luck.below(i + 1)
    ;[keyed[i], keyed[j]] = [keyed[j] as (typeof keyed)[number], keyed[i] as (typeof keyed)[number]]
  }
  return keyed.map(({ id: match, seats }) => ({ match, seat: luck.below(seats.length) }))
}

/** The work for each item, one a core at a time; results in the items' order. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const rest = items.entries()
  const worker = async () => {
    for (const [i, item] of rest) results[i] = await work(item)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  return results
}

const documentOf = ({ title, names, matches, views, pairs }: Twins): unknown => ({
  contest: title,
  matches,
  views,
  pairs: pairs.map(({ pair: [a, b], ...rest }) => ({ pair: [names[a], names[b]], ...rest })),
})

function twinsText({ title, names, matches, views, pairs }: Twins): string {
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
      : `${alike === 1 ? 'One pair behaves' : `${alike} pairs behave`} more alike than chance would have it. That is a reason to look, and no proof of anything.`,
  ].join('\n')
}

const probability = (p: number): string => (p < 0.001 ? '< 0.001' : p.toFixed(3))
