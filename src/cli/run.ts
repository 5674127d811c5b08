import { type Command, InvalidArgumentError } from 'commander'
import { visible, width } from '../core/index.js'
import { lookAhead } from '../sandbox/index.js'
import { distrust } from '../files/index.js'
import { resolveContest } from '../contest/index.js'
import { crosstableText, crosstableTitle, standingsText } from '../tournament/index.js'
import { count, countFrom } from './counts.js'
import { eloColumns, eloNote } from '../app/elo.js'
import { INTERRUPTED } from './exit.js'
import { faultLines } from '../archive/faults.js'
import { type Hosted, hostContest } from '../app/run.js'
import { addIsolationOptions } from '../app/holding.js'
import { jobsOf } from '../app/jobs.js'
import { type RunOptions, goOnCommand } from '../app/plan.js'
import { stopOnSignals } from './signals.js'
import { counted, duration, outputColumns, print, tell } from './terminal.js'
import { workspaceFolder } from '../app/workspace.js'

const HELP = `
The archive holds records.jsonl (every match, for agon verify and agon replay),
results.json, results.md, standings.csv, crosstable.csv, faults.csv, contest.json
and logs/ with the end of what each bot wrote to its standard error. Every match
is kept in agon.db of the workspace: $AGON_WORKSPACE, else ./.agon. What is there
already is not played again, whichever run of whichever contest played it.

Examples:
  agon run gunduel                            a game's own contest, for a first look
  agon run friday.toml --out friday           a contest of yours
  agon run friday.toml --out friday --resume  after Ctrl-C, a crash, a power cut
  agon run friday.toml --only Ant --against Bee,Cat
                                              Ant's matches against these two
  agon run friday.toml --until-settled 3 --budget 5000
                                              until the first three are certain`

export function runCommand(command: Command): void {
  addIsolationOptions(command)
    .argument('<contest>', 'a contest file (.toml), or the name of a game for its built-in contest')
    .option('--seed <seed>', 'the seed of all chance (default: the contest file’s, else a secret one)', text)
    .option('--jobs <n>', 'matches played at the same time (default: one a core)', count)
    .option('--only <names>', 'only these entrants, separated by commas', names)
    .option('--against <names>', 'and these, who do not meet among themselves', names)
    .option('--matches <n>', 'repetitions a pairing, instead of the contest file’s', count)
    .option(
      '--until-settled <k>',
      'play where it matters until the first k places (all: the whole order) are decided',
      places,
    )
    .option('--budget <n>', 'matches at most until settled (default: four times as many as without)', count)
    .option('--confidence <c>', 'how sure the places have to be (default: 0.95)', share)
    .option('--out <folder>', 'where the archive is written (default: below ./agon-results)', text)
    .option('--resume', 'go on with a run that was interrupted: only what is missing is played')
    .option('--fresh', 'forget the run that the folder holds, and start again')
    .option('--max-faults <k>', 'disqualify an entrant after so many faults: none of its matches counts then', count)
    .option('--admit-anyway', 'keep entrants that crash or are silent at their first question')
    .option('--strict-timing', 'no more bots are timed at once than there are cores, whatever --jobs says')
    .option(
      '--patience <seconds>',
      'how long a match waits for a machine that is too busy; then the run ends with 75 (default: 1800)',
      countFrom(0),
    )
    .option('--json', 'one JSON document on standard output')
    .option('--workspace <folder>', 'where matches are kept (default: $AGON_WORKSPACE, else .agon here)', text)
    .addHelpText('after', HELP)
    .action(async (ref: string, given: RunOptions & { json?: boolean }) => {
      const stop = stopOnSignals()
      // The machine is looked at while the contest is read.
      distrust(workspaceFolder(given.workspace))
      if (!given.unsafeNoIsolation) lookAhead()
      const resolved = await resolveContest(ref)
      const options = { ...given, ...jobsOf(given.jobs, given.strictTiming === true) }
      const hosted = await hostContest(ref, resolved, options, workspaceFolder(given.workspace), stop.signal)
      stop.off()
      const { result, out, document } = hosted
      if (given.json) print(JSON.stringify(document, undefined, 2))
      else if (result.finished) print(report(hosted, outputColumns()))
      if (result.finished) return
      tell(
        `interrupted: ${counted(result.played + result.reused, 'match', 'matches')} kept. To go on: ${goOnCommand(ref, given, out)}`,
      )
      process.exitCode = INTERRUPTED
    })
}

function places(value: string): number | 'all' {
  return value === 'all' ? value : count(value)
}

function share(value: string): number {
  const n = Number(value)
  if (!(n >= 0.5 && n < 1)) throw new InvalidArgumentError('It must be a number from 0.5 to below 1, such as 0.95.')
  return n
}

function text(value: string): string {
  if (value === '') throw new InvalidArgumentError('It must not be empty.')
  return value
}

function names(value: string): string[] {
  const given = value.split(',').map((name) => name.trim())
  if (given.includes('')) throw new InvalidArgumentError('Give names, separated by commas.')
  return given
}

/** The table as its author would publish it, with what belongs to it. */
function report(hosted: Hosted, columns: number): string {
  const { contest, seed, result, standings, elo, crosstable, faults, leftOut, out, took } = hosted
  const reused = result.reused > 0 ? ` (${result.reused} were there before)` : ''
  const matches = `${counted(result.played + result.reused, 'match', 'matches')}${reused} in ${duration(took)}`
  const cross = crosstableText(crosstable)
  const fits = cross.split('\n').every((line) => width(line) <= columns)
  const faulty = faultLines(faults).map((line) => `  ${visible(line)}`)
  const note = elo && eloNote(elo)
  return [
    `${visible(contest.title)}: ${matches}, seed ${visible(seed)}`,
    '',
    standingsText(standings, { width: columns, ...(elo && { beside: eloColumns(elo) }) }),
    ...(note === undefined ? [] : [note, '']),
    ...(fits
      ? [`${crosstableTitle(crosstable)} (the columns are the rows’ numbers):`, '', cross]
      : ['The crosstable is too wide for this terminal: see results.md in the archive.', '']),
    faulty.length === 0 ? 'No faults.' : `Faults:\n${faulty.join('\n')}`,
    ...leftOut.map(({ name, why }) => `Left out: ${visible(name)}: ${visible(why)}`),
    '',
    `Archive: ${out}`,
  ].join('\n')
}
