import { availableParallelism } from 'node:os'
import { type Command, InvalidArgumentError } from 'commander'
import { resolveContest } from '../contest/index.js'
import { crosstableText, standingsText } from '../tournament/index.js'
import { visible } from '../core/index.js'
import { faultLines } from './faults.js'
import { type Hosted, hostContest } from './host.js'
import type { RunOptions } from './plan.js'
import { duration, print, tell } from './terminal.js'
import { workspaceFolder } from './workspace.js'

export function runCommand(program: Command): void {
  program
    .command('run')
    .description('run a contest: build and check the entrants, play the tournament, print the table, write the archive')
    .argument('<contest>', 'a contest file (.toml), or the name of a game for its built-in contest')
    .option('--seed <seed>', 'the seed of all chance; without one, the contest file’s, or a secret one', text)
    .option('--jobs <n>', 'matches played at the same time (default: one a core)', count)
    .option('--only <names>', 'only these entrants, separated by commas', names)
    .option('--against <names>', 'and these, who do not meet among themselves', names)
    .option('--matches <n>', 'repetitions a pairing, instead of the contest file’s', count)
    .option('--out <folder>', 'where the archive is written (default: below ./agon-results)', text)
    .option('--resume', 'go on with a run that was interrupted: only what is missing is played')
    .option('--fresh', 'forget the run that the folder holds, and start again')
    .option('--json', 'one JSON document on standard output')
    .addHelpText('after', HELP)
    .action(async (ref: string, given: RunOptions & { json?: boolean }) => {
      const resolved = await resolveContest(ref)
      const options = { ...given, jobs: given.jobs ?? availableParallelism() }
      if (resolved.authors !== undefined && given.matches === undefined && !given.json) {
        tell(
          `a first look, with ${resolved.contest.format.repetitions} repetitions; --matches ${resolved.authors} is the author's figure`,
        )
      }
      const stop = stopOnSignals()
      const hosted = await hostContest(resolved, options, workspaceFolder(), stop.signal)
      stop.off()
      if (!hosted.result.finished) return interrupted(ref, hosted)
      print(given.json ? JSON.stringify(hosted.document, undefined, 2) : report(hosted))
    })
}

const HELP = `
The archive holds records.jsonl (every match, for agon verify and agon replay), results.json, results.md, standings.csv,
crosstable.csv, faults.csv, contest.json and logs/ with the end of what each bot wrote to its standard error.
What a run must remember to go on lies in $AGON_WORKSPACE, else in ./.agon. Exit codes: 2, a mistake of yours; 130, interrupted.`

function count(value: string): number {
  const n = Number(value)
  if (!Number.isInteger(n) || n < 1) throw new InvalidArgumentError('It must be a whole number from 1.')
  return n
}
function text(value: string): string {
  if (value === '') throw new InvalidArgumentError('It must not be empty.')
  return value
}
function names(value: string): string[] {
  return value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** Ctrl-C once: no new matches, and those under way are given up; twice: at once. */
function stopOnSignals(): { signal: AbortSignal; off(): void } {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) process.exit(130)
    tell('stopping; what is done is kept')
    controller.abort()
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  return { signal: controller.signal, off: () => void process.off('SIGINT', stop).off('SIGTERM', stop) }
}

function interrupted(ref: string, { result, out }: Hosted): void {
  tell(
    `interrupted: ${result.played + result.reused} matches are kept. To go on: agon run ${ref} --resume --out ${out}`,
  )
  process.exitCode = 130
}

/** The table as its author would publish it, with what belongs to it. */
function report({ contest, seed, result, standings, crosstable, faults, out, took }: Hosted): string {
  const width = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY
  const lines = faultLines(faults)
  return [
    `${visible(contest.title)}: ${result.played + result.reused} matches${result.reused > 0 ? ` (${result.reused} were there before)` : ''} in ${duration(took)}, seed ${visible(seed)}`,
    '',
    standingsText(standings, { width }),
    'Points by opponent (the columns are the rows’ numbers):',
    '',
    crosstableText(crosstable),
    lines.length === 0 ? 'No faults.' : `Faults:\n${lines.map((line) => `  ${visible(line)}`).join('\n')}`,
    '',
    `Archive: ${out}`,
  ].join('\n')
}
