import type { Command } from 'commander'
import { visible } from '../core/index.js'
import { type RunListing, listRuns } from '../app/look/runs.js'
import { aligned } from '../text/index.js'
import { type StoreFlags, addWorkspaceOption, contextOf } from './options.js'
import { print, printJson } from './terminal.js'

export function runsCommand(command: Command): void {
  addWorkspaceOption(command)
    .option('--json', 'as JSON')
    .action(async (given: StoreFlags & { json?: boolean }) => {
      const runs = await listRuns(contextOf(given))
      if (given.json) printJson(runs)
      else print(runs.length === 0 ? 'no runs yet' : textOf(runs))
    })
}

function textOf(runs: readonly RunListing[]): string {
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
export const when = (iso: string): string => iso.slice(0, 16).replace('T', ' ')
