import { InvalidArgumentError } from 'commander'
import { visible } from '../core/index.js'
import { joinCommand } from '../app/contest-words.js'
import type { Context } from '../app/context.js'
import { flagNamed } from '../app/flag.js'
import type { LiveRun } from '../app/run/live-run.js'
import { ASKED, type RunEvent, type RunOptions } from '../app/run/options.js'
import { type RunOutcome, runOutcomeText } from '../app/run/table.js'
import { jobsOf } from '../app/machine.js'
import { runContest } from '../app/run/run.js'
import { withoutPassword } from '../app/workspace.js'
import { counted } from '../text/index.js'
import { INTERRUPTED, interrupt, stopOnSignals } from './exit.js'
import { ISOLATION, JSON_DOCUMENT, STORE, type StoreFlags, contextOf, isolationOf } from './options.js'
import { Progress } from './progress.js'
import { outputColumns, print, printJson, notify } from './terminal.js'
import { count, countFrom, flag, numberIf, parted, value, verb, words } from './verb.js'

const share = numberIf((n) => n >= 0.5 && n < 1, 'a number from 0.5 to below 1, such as 0.95')

export const runCommand = verb({
  takes: [['<contest>', 'a contest file (.toml), a folder with a contest.toml, or the name of a game']],
  options: {
    ...ISOLATION,
    ...STORE,
    seed: value('<seed>', 'the seed of all chance (default: the contest file’s, else a secret one)', words),
    jobs: value('<n>', 'matches played at the same time (default: one per core)', count),
    only: value('<names>', 'only these entrants, separated by commas', names),
    against: value('<names>', 'and these entrants, which do not meet each other', names),
    matches: value('<n>', 'repetitions per pairing, instead of the contest file’s', count),
    quick: flag('a first look: the contest file’s quick repetitions, else 1'),
    untilSettled: value(
      '<k>',
      'play the matches that matter until the first k places (all: the whole order) are decided',
      (text) => (text === 'all' ? text : count(text)),
    ),
    budget: value('<n>', 'the most matches until settled (default: four times as many as without)', count),
    confidence: value('<c>', 'how certain the places must be (default: 0.95)', share),
    out: value('<folder>', 'where the results are written (default: below ./agon-results)', words),
    transcripts: flag("also write transcripts/: one file per match in the notation of the game's own contest"),
    resume: flag('continue a run, also with other entrants: only missing matches are played'),
    fresh: flag('delete the run in the results folder, and start again; stored matches are not played again'),
    maxFaults: value('<k>', 'disqualify an entrant after this many faults; then none of its matches counts', count),
    admitAnyway: flag('keep entrants that crash or are silent at their first question'),
    strictTiming: flag('time no more bots at once than there are cores, whatever --jobs says'),
    patience: value(
      '<seconds>',
      'how long a match waits for a busy machine before the run ends with 75 (default: 1800)',
      countFrom(0),
    ),
    workersOnly: flag('with a store on a server: agon worker plays, this process does not'),
    ...JSON_DOCUMENT,
  },
  help: `
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
                                              until the first three are certain`,
  /** Marks its parts in Node's user timing, to measure a run's time. */
  async run(given, ref: string) {
    performance.mark('agon:run')
    const { workspace, store, json, unsafeNoIsolation: _, ...rest } = given
    const wished = { ...rest, ...isolationOf(given) }
    const again = (out: string) => resumeCommand(ref, { ...wished, workspace, store }, out)
    const played = await shown(contextOf(given), again, (context, see) => {
      const jobs = jobsOf(given.jobs, given.strictTiming === true, context)
      return runContest(ref, { ...wished, ...jobs, asked: given.jobs }, context, (news) => {
        see(news)
        if (news.type === 'table' && !json) print(runOutcomeText(news.outcome, outputColumns()))
        if (news.type === 'admitted' || news.type === 'table') performance.mark(`agon:${news.type}`)
      })
    })
    if (json) printJson(played.document)
    else if (played.result.finished) print(`\nArchive: ${visible(played.run.out)}`)
  },
})

/**
 * Plays a run, its progress on standard error; a signal stops it. `again`: the command that continues a folder's run.
 */
export async function shown<T extends RunOutcome>(
  base: Context,
  again: (out: string) => string,
  play: (context: Context, see: (news: RunEvent) => void) => Promise<T>,
): Promise<T> {
  const progress = new Progress()
  const stop = stopOnSignals()
  let isSettled = false
  let live: LiveRun | undefined
  let lost = ''
  stop.signal.addEventListener('abort', () => {
    // Until entrants are settled there is nothing to keep: a signal ends all.
    if (!isSettled) interrupt('interrupted before the first match')
    const series = live?.series ?? 0
    const are = series === 1 ? 'that was under way is' : 'that were under way are'
    if (series > 0) lost = `; ${series} series ${are} played again from the beginning`
  })
  const see = (news: RunEvent): void => {
    if (news.type === 'admitted') isSettled = true
    if (news.type === 'began') {
      const playing = (live = news.live)
      progress.follow(news.run.contest.title, async () => {
        const { label, ...state } = await playing.progress()
        return { ...state, leaders: () => leadersOf(label, playing) }
      })
    }
    if (news.type === 'ended') progress.end()
    if (news.type === 'reported') progress.follow(news.progress.doing, () => news.progress)
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

function leadersOf(label: string, live: LiveRun): string {
  const rows = live.standings().rows.slice(0, 3)
  const leaders = rows.map(({ name, points }) => `${name} ${Math.round(points * 1000) / 1000}`)
  return [label, leaders.join(', ')].filter((part) => part !== '').join('; ')
}

function names(text: string): string[] {
  const given = parted(text)
  if (given.includes('')) throw new InvalidArgumentError('Give names, separated by commas.')
  return given
}

/** Flags whose names differ from their options'. */
const FLAGS: Partial<Record<keyof RunOptions, string>> = { noIsolation: 'unsafeNoIsolation' }

/** The command that resumes a run, with all options that decide what is played. */
export function resumeCommand(
  ref: string,
  { only, against, workspace, store, ...wished }: RunOptions & StoreFlags,
  out: string,
): string {
  const command = ['agon', 'run', ref]
  if (only !== undefined) command.push('--only', only.join(','))
  if (against !== undefined) command.push('--against', against.join(','))
  for (const name of ASKED) {
    const asked = wished[name]
    if (asked === undefined || asked === false) continue
    command.push(flagNamed(FLAGS[name] ?? name))
    if (asked !== true) command.push(String(asked))
  }
  if (workspace !== undefined) command.push('--workspace', workspace)
  if (store !== undefined) command.push('--store', withoutPassword(store))
  return joinCommand([...command, '--resume', '--out', out])
}
