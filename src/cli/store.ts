import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { type GameKit, UserError, visible } from '../core/index.js'
import { CONTESTS, loadGame } from '../contest/index.js'
import { games } from '../games/index.js'
import { judge } from '../match/index.js'
import { ratedOf, ratingRows } from '../app/ratings.js'
import { type Checked, type Judge, type Rate, checkStore, storeFile } from '../store/index.js'

import { canRewrite, print, tell } from './terminal.js'
import { counted, duration } from '../text/index.js'
import { addGameOption, addWorkspaceOption, workspaceFolder } from './options.js'

const HELP = `
Every match is compared with its record, and the record judged again; entrants,
counts, exclusions, rulings and what bots keep are compared with their checksums,
and SQLite checks the file. --mend copies the file, then writes anew what can be
computed: matches from their records, counts and ratings from matches, exclusions
and rulings from the log, indexes, and rows in which a bit was flipped. A match
whose record cannot be read is taken out: agon run --resume plays it again.
Exit code 2: something is damaged, also where it could be mended just now.

Examples:
  agon store check
  agon store check friday.toml --json
  agon store check --mend`

interface Given {
  readonly workspace?: string
  readonly game?: string
  readonly json?: boolean
  readonly mend?: boolean
}

export function storeCommand(command: Command): void {
  const check = command.command('check').description('compare the store with its records, and mend it')
  addGameOption(addWorkspaceOption(check))
    .argument('[contest]', 'only the runs of this contest file (.toml) or game (default: all)')
    .option('--mend', 'mend what can be computed again; the file is copied first')
    .option('--json', 'one JSON document on standard output')
    .addHelpText('after', HELP)
    .action(async (contest: string | undefined, given: Given) => {
      const workspace = workspaceFolder(given.workspace)
      if (!existsSync(storeFile(workspace)))
        throw new UserError(
          `${workspace} holds no store yet: agon run CONTEST makes one, --workspace names another place`,
        )
      const own = given.game === undefined ? undefined : await loadGame(given.game, process.cwd())
      const rules = new Rules(own === undefined ? games : [...games, own])
      const checked = checkStore(workspace, {
        judge: rules.judge,
        rate,
        mend: given.mend === true,
        progress: estimate(),
        ...(contest !== undefined && { only: runsOf(contest) }),
      })
      for (const [what, n] of rules.unjudged)
        tell(
          visible(
            `${counted(n, 'match', 'matches')} of ${what} could not be judged: there are no such rules here (--game FILE names a game's)`,
          ),
        )
      print(given.json ? JSON.stringify(checked, undefined, 2) : textOf(checked))
      if (checked.findings.length > 0) process.exitCode = 2
    })
}

/** Judges records by the rules that are here, and counts those of other games and versions. */
class Rules {
  readonly unjudged = new Map<string, number>()

  constructor(private readonly kits: readonly GameKit[]) {}

  readonly judge: Judge = (record) => {
    const kit = this.kits.find(({ game }) => game.id === record.game && game.version === record.version)
    if (kit !== undefined) return judge(kit, record)
    const what = `${record.game} version ${record.version}`
    this.unjudged.set(what, (this.unjudged.get(what) ?? 0) + 1)
    return undefined
  }
}

/** Ratings as they are kept at the end of a run. */
const rate: Rate = (matches, field) =>
  ratingRows(
    Array.from(matches, ({ result, record }) => ratedOf(result, record)),
    field,
  )

/** Whether a run is of that contest, by its file or, where it lies elsewhere now, by the file's name. */
function runsOf(ref: string): (contest: string) => boolean {
  const path = /\.toml$|[\\/]/.test(ref) ? resolve(ref) : join(CONTESTS, `${ref}.toml`)
  return (contest) => contest === path || (basename(contest) === basename(path) && !existsSync(contest))
}

/** Milliseconds between two lines about the progress. */
const EVERY = 2000

/** Tells from time to time how far it is, and how long the rest may take. */
function estimate(): (done: number, of: number) => void {
  const began = performance.now()
  let told = began
  return (done, of) => {
    const now = performance.now()
    if (now - told < EVERY || done === of) return
    told = now
    const left = duration(((now - began) / done) * (of - done))
    const line = `checked ${done} of ${of} matches, about ${left} left`
    if (canRewrite(process.stderr)) process.stderr.write(`\r\u001b[K${line}`)
    else tell(line)
  }
}

function textOf({ file, runs, matches, findings, copy }: Checked): string {
  const looked = `${counted(runs, 'run')}, ${counted(matches, 'match', 'matches')}`
  if (findings.length === 0) return `${file}: whole (${looked})`
  const mendable = 'agon store check --mend mends what can be computed again, or put a copy of the file back'
  const lines = findings.map(({ what, mended }) =>
    visible(
      `${file}: ${what}${mended ? ' (mended)' : copy === undefined ? `: ${mendable}` : ': put a copy of the file back, or import an archive'}`,
    ),
  )
  const kept = copy === undefined ? [] : [`${copy} is the file as it was`]
  return [...lines, `${counted(findings.length, 'damage')} found (${looked})`, ...kept].join('\n')
}
