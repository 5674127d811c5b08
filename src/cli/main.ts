import { Command, CommanderError } from 'commander'
import { UserError, didYouMean, visible } from '../core/index.js'
import { fail } from './exit.js'
import { VERSION } from '../app/version.js'
import { surviveClosedPipes, notify } from './terminal.js'

const VERBS = {
  contestants: {
    match: 'play one match, turn by turn',
    ladder: 'play a bot against all house bots of a game, and show where it stands',
    duel: 'find out whether one bot is better than another, in as few matches as possible',
    check: 'check whether a bot speaks the wire: what it was sent, what it answered, how long it took',
    watch: 'check a bot each time it is saved, and play it against its previous version',
    new: 'create a bot or a game: a folder with a working one, and all that its author needs',
    connect: 'let a bot on this machine play on a site',
    show: 'show how a bot did: its matches, faults, what it was sent and answered',
    diff: 'show where a new version of a bot moves differently',
    replay: 'step through a recorded match',
    rules: "print a game's rules",
    games: 'list the games that come with agon',
    wires: "list a game's wires: the protocols that a bot can speak",
  },
  hosts: {
    run: 'run a contest: build and check the entrants, play the tournament, print the table, write the results',
    init: 'create a contest: ask five questions and write a folder with its file',
    report: 'make the report of a run: a page with every match, Markdown, CSV',
    pause: 'pause a run: it starts no more matches',
    continue: 'continue a paused run',
    withdraw: 'withdraw an entrant from a run',
    disqualify: 'disqualify an entrant from a run',
    readmit: 'let an entrant that was withdrawn or disqualified play again',
    rule: 'let another result of a match count than the recorded one',
    rejudge: 'judge the stored answers again by the current rules',
    export: 'write a run to one self-describing file',
    import: 'import a run from such a file',
  },
  spectators: {
    standings: "show the table of a contest's latest run, without playing",
    play: 'play a match yourself, at the keyboard',
  },
  designers: {
    test: 'test a game: check its contract in thousands of random games with many faults',
  },
  operators: {
    serve: 'serve the workspace as a web site: watch contests, enter bots, play',
    token: "make a new token for the site's host",
    worker: 'play matches for the runs of a store on a server, on this machine',
    workers: 'list the workers of a store on a server, and what they play',
    runs: 'list the runs in the workspace',
    log: 'show what was done to a run, when, and by which version of agon',
    verify: 'judge records again, list those that no longer agree, and print the digest of all',
    store: 'check the store for damage, and remove damaged jobs',
    doctor: 'show what this machine has for sandboxes, and what it lacks',
  },
  researchers: {
    rank: 'rank a run, or a file of games, by other rules, and show how certain each rank is',
    twins: 'find bots that behave alike on the same positions',
    solve: 'solve a small game: find its value and an equilibrium',
    env: 'let a program learn a game: observations, actions and rewards as JSON lines',
  },
} as const

type Group = keyof typeof VERBS
type Verb = { [G in Group]: keyof (typeof VERBS)[G] }[Group]

/** What adds a verb's options and action to its command. */
type Commands = Partial<Record<`${Verb}Command`, (command: Command) => void>>

/** Files by verb: only that of the verb asked for is loaded. */
const FILES: readonly (readonly [verbs: readonly Verb[], load: () => Promise<Commands>])[] = [
  [['match'], () => import('./match.js')],
  [['ladder'], () => import('./ladder.js')],
  [['duel'], () => import('./duel.js')],
  [['check', 'watch'], () => import('./check.js')],
  [['new'], () => import('./new.js')],
  [['connect'], () => import('./connect.js')],
  [['show'], () => import('./show.js')],
  [['diff', 'twins'], () => import('./behaviour.js')],
  [['replay'], () => import('./replay.js')],
  [['rules', 'games', 'wires'], () => import('./games.js')],
  [['run'], () => import('./run.js')],
  [['init'], () => import('./init.js')],
  [['report'], () => import('./report.js')],
  [['pause', 'continue', 'runs', 'log'], () => import('./runs.js')],
  [['withdraw', 'disqualify', 'readmit', 'rule', 'rejudge'], () => import('./rulings.js')],
  [['export', 'import', 'verify', 'store'], () => import('./store.js')],
  [['standings'], () => import('./standings.js')],
  [['play'], () => import('./play.js')],
  [['test'], () => import('./test.js')],
  [['serve', 'token'], () => import('./serve.js')],
  [['worker', 'workers'], () => import('./workers.js')],
  [['doctor'], () => import('./doctor.js')],
  [['rank'], () => import('./rank.js')],
  [['solve'], () => import('./solve.js')],
  [['env'], () => import('./env.js')],
]

const NAMES = FILES.flatMap(([verbs]) => verbs)

const EXAMPLES = `
Examples:
  agon run gunduel                                a contest of house bots
  agon check samurai "python3 mybot.py"           does my bot speak the protocol?
  agon match samurai "python3 mybot.py" Hedgehog  one match, turn by turn

agon help VERB explains a verb. Exit codes: 0, done; 1, a record does not agree
or a bot does not speak the wire; 2, a mistake of yours, in one line; 70, a
fault of agon; 75, the machine was too busy; 130, interrupted.`

async function main(words: readonly string[]): Promise<void> {
  const program = new Command('agon')
    .description('Hosts bot-programming contests: referees the matches, runs the tournament, ranks the entrants.')
    .version(VERSION, '-V, --version', 'print the version')
    .exitOverride()
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })
    .configureOutput({ outputError: (text, write) => write(inOneLine(text, words)) })
    .addHelpText('after', EXAMPLES)
  for (const [group, verbs] of Object.entries(VERBS))
    for (const [verb, does] of Object.entries(verbs)) {
      const command = program.command(verb).description(does).helpGroup(`For ${group}:`)
      const [, load] = FILES.find(([own]) => own.includes(verb as Verb)) ?? []
      if (load !== undefined && words.includes(verb)) (await load())[`${verb as Verb}Command`]?.(command)
    }
  const [first, asked] = words
  if (first === 'help' && asked !== undefined && ![...NAMES, 'help', '-h', '--help'].includes(asked)) {
    throw new UserError(`no verb "${asked}"${didYouMean(asked, NAMES)}; agon help lists them`)
  }
  await program.parseAsync([...words], { from: 'user' })
}

/** Verbs whose arguments may be commands of bots. */
const TAKES_BOTS: ReadonlySet<string> = new Set(['check', 'match', 'duel', 'ladder', 'watch'])

/** A mistake as agon reports all: one line, with what to do. */
function inOneLine(text: string, words: readonly string[]): string {
  const [, what = text, guess] = /^(?:error: )?(.*?)\s*(?:\(Did you mean (?:one of )?(.*)\?\))?\s*$/s.exec(text) ?? []
  const verb = NAMES.find((name) => name === words[0])
  const unquoted = /too many arguments/.test(what) && TAKES_BOTS.has(words[0] ?? '')
  const quotes = unquoted ? 'a command of several words is one argument, in quotes ("python3 bot.py"); ' : ''
  const known = `${quotes}agon help${verb ? ` ${verb}` : ''} tells what there is`
  return `agon: ${visible(what.replace(/\.$/, ''))}${guess ? ` (did you mean ${guess}?)` : ''}; ${known}\n`
}

/** An error in a timer or promise of a bot here is its own affair, like what a program does between answers. */
function wasModule(error: Error): boolean {
  return /^ *at .*[?&]life=/m.test(error.stack ?? '')
}

surviveClosedPipes()
process.on('uncaughtException', (error) => {
  if (wasModule(error)) return notify(visible(`a module threw outside of its answers: ${error.message}`))
  fail(error)
  process.exit()
})
main(process.argv.slice(2)).catch((error: unknown) => {
  // Commander has printed the mistake or the help.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else fail(error)
})
