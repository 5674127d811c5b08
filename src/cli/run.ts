import { type Command, InvalidArgumentError } from 'commander'
import { visible } from '../core/index.js'
import type { Context } from '../app/context.js'
import type { RunBoard } from '../app/run/board.js'
import type { RunEvent, RunOptions } from '../app/run/options.js'
import { type RunOutcome, runOutcomeText } from '../app/run/table.js'
import { jobsOf } from '../app/machine.js'
import { runContest } from '../app/run/run.js'
import { counted } from '../text/index.js'
import { INTERRUPTED, interrupt, stopOnSignals } from './exit.js'
import {
  type IsolationFlags,
  type StoreFlags,
  addIsolationOptions,
  addWorkspaceOption,
  contextOf,
  isolationOf,
  count,
  countFrom,
  parted,
  words,
} from './options.js'
import { Progress } from './progress.js'
import { resumeCommand } from './resume-command.js'
import { outputColumns, print, printJson, notify } from './terminal.js'

export interface RunFlags extends Omit<RunOptions, 'noIsolation'>, IsolationFlags, StoreFlags {
  readonly jobs?: number
  readonly json?: boolean
}

const HELP = `
The results folder holds records.jsonl (every match, for agon verify and agon replay),
results.json, results.md, standings.csv, crosstable.csv, faults.csv, contest.json
and logs/ with the end of what each bot wrote to its standard error. Every match
is stored in agon.db of the workspace ($AGON_WORKSPACE, else ./.agon), or on a server
that many machines share ($AGON_STORE). A match that is stored already is not played
again, whichever run or contest played it.

Examples:
  agon run gunduel                            a game's own contest, for a first look
  agon run friday.toml --out friday           a contest of yours
  agon run friday.toml --out friday --resume  after Ctrl-C, a crash, a power cut
  agon run friday/                            a league: bots come, change and go
  agon run friday.toml --only Ant --against Bee,Cat
                                              Ant's matches against these two
  agon run friday.toml --until-settled 3 --budget 5000
                                              until the first three are certain`

export function runCommand(command: Command): void {
  addWorkspaceOption(addIsolationOptions(command))
    .argument('<contest>', 'a contest file (.toml), a folder with a contest.toml, or the name of a game')
    .option('--seed <seed>', 'the seed of all chance (default: the contest file’s, else a secret one)', words)
    .option('--jobs <n>', 'matches played at the same time (default: one per core)', count)
    .option('--only <names>', 'only these entrants, separated by commas', names)
    .option('--against <names>', 'and these entrants, which do not meet each other', names)
    .option('--matches <n>', 'repetitions per pairing, instead of the contest file’s', count)
    .option('--quick', 'a first look: the contest file’s quick repetitions, else 1')
    .option(
      '--until-settled <k>',
      'play the matches that matter until the first k places (all: the whole order) are decided',
      places,
    )
    .option('--budget <n>', 'the most matches until settled (default: four times as many as without)', count)
    .option('--confidence <c>', 'how certain the places must be (default: 0.95)', share)
    .option('--out <folder>', 'where the results are written (default: below ./agon-results)', words)
    .option('--transcripts', "also write transcripts/: one file per match in the notation of the game's own contest")
    .option('--resume', 'continue a run, also with other entrants: only missing matches are played')
    .option('--fresh', 'delete the run in the results folder, and start again; stored matches are not played again')
    .option('--max-faults <k>', 'disqualify an entrant after this many faults; then none of its matches counts', count)
    .option('--admit-anyway', 'keep entrants that crash or are silent at their first question')
    .option('--strict-timing', 'time no more bots at once than there are cores, whatever --jobs says')
    .option(
      '--patience <seconds>',
      'how long a match waits for a busy machine before the run ends with 75 (default: 1800)',
      countFrom(0),
    )
    .option('--workers-only', 'with a store on a server: agon worker plays, this process does not')
    .option('--json', 'one JSON document on standard output')
    .addHelpText('after', HELP)
    .action(run)
}

/** Marks its parts in Node's user timing, to measure where a run's time goes. */
async function run(ref: string, given: RunFlags): Promise<void> {
  performance.mark('agon:run')
  const { workspace, store, json, unsafeNoIsolation: _, ...rest } = given
  const wished = { ...rest, ...isolationOf(given) }
  const again = (out: string) => resumeCommand(ref, { ...wished, workspace, store }, out)
  const {
    run: played,
    result,
    document,
  } = await shown(contextOf(given), again, (context, see) => {
    const jobs = jobsOf(given.jobs, given.strictTiming === true, context)
    return runContest(ref, { ...wished, ...jobs, asked: given.jobs }, context, (news) => {
      see(news)
      if (news.type === 'table' && !json) print(runOutcomeText(news.outcome, outputColumns()))
      if (news.type === 'admitted' || news.type === 'table') performance.mark(`agon:${news.type}`)
    })
  })
  if (json) printJson(document)
  else if (result.finished) print(`\nArchive: ${visible(played.out)}`)
}

/**
 * Plays a run while standard error shows how it goes on; a signal stops it. `again`: the command that continues the run whose results are in a
 * folder.
 */
export async function shown<T extends RunOutcome>(
  base: Context,
  again: (out: string) => string,
  play: (context: Context, see: (news: RunEvent) => void) => Promise<T>,
): Promise<T> {
  const progress = new Progress()
  const stop = stopOnSignals()
  let isSettled = false
  let board: RunBoard | undefined
  let lost = ''
  stop.signal.addEventListener('abort', () => {
    // Until the entrants are settled there is nothing to keep: a signal then ends all at once.
    if (!isSettled) interrupt('interrupted before the first match')
    const series = board?.series ?? 0
    const are = series === 1 ? 'that was under way is' : 'that were under way are'
    if (series > 0) lost = `; ${series} series ${are} played again from the beginning`
  })
  const see = (news: RunEvent): void => {
    if (news.type === 'admitted') isSettled = true
    if (news.type === 'began') {
      const playing = (board = news.board)
      progress.follow(
        playing.title,
        () => stateOf(playing),
        () => playing.look(),
      )
    }
    if (news.type === 'ended') progress.end()
    if (news.type === 'reported') progress.see(news.progress.doing, news.progress)
    if (news.type === 'kept') notify(`all matches played so far are kept. To continue: ${again(news.out)}`)
  }
  const context = { ...base, notice: (text: string) => progress.note(text), signal: stop.signal }
  const outcome = await play(context, see).finally(() => progress.end())
  stop.off()
  const { run: played, result } = outcome
  if (!result.finished) {
    const kept = counted(result.played + result.reused, 'match', 'matches')
    notify(`interrupted: ${kept} kept${lost}. To continue: ${again(played.out)}`)
    process.exitCode = INTERRUPTED
  }
  return outcome
}

function stateOf(board: RunBoard) {
  const { label, ...state } = board.state
  const rows = board.standings().rows.slice(0, 3)
  const leaders = rows.map(({ name, points }) => `${name} ${Math.round(points * 1000) / 1000}`)
  return { ...state, leaders: [label, leaders.join(', ')].filter((part) => part !== '').join('; ') }
}

function places(value: string): number | 'all' {
  return value === 'all' ? value : count(value)
}

function share(value: string): number {
  const n = Number(value)
  if (!(n >= 0.5 && n < 1)) throw new InvalidArgumentError('It must be a number from 0.5 to below 1, such as 0.95.')
  return n
}

function names(value: string): string[] {
  const given = parted(value)
  if (given.includes('')) throw new InvalidArgumentError('Give names, separated by commas.')
  return given
}
