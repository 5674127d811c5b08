import type { Command } from 'commander'
import { visible } from '../core/index.js'
import { withStore } from '../app/stored.js'
import { print } from './terminal.js'
import { addWorkspaceOption, contextOf } from './options.js'
import { aligned } from '../text/index.js'

export function runsCommand(command: Command): void {
  addWorkspaceOption(command)
    .option('--json', 'as JSON')
    .action(async (given: { workspace?: string; json?: boolean }) => {
      const runs = await withStore(contextOf(given), (store) => store.runs())
      if (given.json) {
        print(
          JSON.stringify(
            runs.map(({ id, contest, title, game, seed, state, began, ended, matches, out, agon }) => ({
              id,
              contest,
              title,
              game,
              seed,
              state,
              began,
              ...(ended !== undefined && { ended }),
              matches,
              out,
              agon,
            })),
            undefined,
            2,
          ),
        )
        return
      }
      if (runs.length === 0) return print('no runs yet')
      const column = (head: string, cell: (run: (typeof runs)[number]) => string, right = false) => ({
        head,
        cells: runs.map((run) => visible(cell(run))),
        right,
      })
      const columns = [
        column('Run', ({ id }) => id),
        column('Contest', ({ title }) => title),
        column('Seed', ({ seed }) => seed.slice(0, 12)),
        column('Matches', ({ matches }) => String(matches), true),
        column('State', ({ state }) => state),
        column('Began', ({ began }) => when(began)),
        column('Archive', ({ out }) => out),
      ]
      print(aligned(columns).trimEnd())
    })
}

/** '2024-05-01 10:00' of an ISO time. */
export const when = (iso: string): string => iso.slice(0, 16).replace('T', ' ')
