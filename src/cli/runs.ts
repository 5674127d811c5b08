import { visible } from '../core/index.js'
import { type RunListing, listRuns, logOfRun, continueRun, pauseRun } from '../app/look/runs.js'
import { aligned } from '../text/index.js'
import type { LogEntry } from '../app/stored.js'
import { CONTEST, STORE, STORED, contextOf, runOf } from './options.js'
import { print, printEither, printJson } from './terminal.js'
import { flag, verb } from './verb.js'

export const runsCommand = verb({
  options: { ...STORE, json: flag('as JSON') },
  async run(given) {
    const runs = await listRuns(contextOf(given))
    printEither(given, runs, () => (runs.length === 0 ? 'no runs yet' : runsText(runs)))
  },
})

function runsText(runs: readonly RunListing[]): string {
  const column = (head: string, cell: (run: RunListing) => string, right = false) => ({
    head,
    cells: runs.map((run) => visible(cell(run))),
    right,
  })
  return aligned([
    column('Run', ({ id }) => id),
    column('Contest', ({ title }) => title),
    column('Seed', ({ seed }) => seed.slice(0, 12)),
    column('Matches', ({ matches }) => String(matches), true),
    column('State', ({ state }) => state),
    column('Began', ({ began }) => when(began)),
    column('Archive', ({ out }) => out),
  ]).trimEnd()
}

/** '2024-05-01 10:00' of an ISO time. */
const when = (iso: string): string => iso.slice(0, 16).replace('T', ' ')

export const logCommand = verb({
  takes: [CONTEST],
  options: { ...STORED, json: flag('as JSON, one entry per line') },
  async run(given, ref: string) {
    for (const entry of await logOfRun(runOf(ref, given), contextOf(given))) {
      if (given.json) printJson(entry, 0)
      else print(lineOf(entry))
    }
  },
})

function lineOf({ at, agon, what, detail }: LogEntry): string {
  const details = Object.entries(detail).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return visible(`${when(at)}  agon ${agon}  ${[what, details.join(', ')].join('  ').trimEnd()}`)
}

const stateCommand = (change: typeof pauseRun, text: string) =>
  verb({
    takes: [CONTEST],
    options: STORED,
    async run(given, ref: string) {
      print(visible(`${await change(runOf(ref, given), contextOf(given))}: ${text}`))
    },
  })

export const pauseCommand = stateCommand(
  pauseRun,
  'a match that has begun is played to its end, and no other is started; a series is played again from its beginning; agon continue continues the run',
)
export const continueCommand = stateCommand(
  continueRun,
  'the run continues if agon is still playing it; otherwise use agon run --resume',
)
