import { Command, CommanderError } from 'commander'
import { UserError, didYouMean, visible } from '../core/index.js'
import { fail } from './exit.js'
import { VERSION } from '../app/version.js'
import { surviveClosedPipes, notify } from './terminal.js'

interface Verb {
  readonly name: string
  /** Who uses it most. */
  readonly by: 'contestants' | 'hosts' | 'spectators' | 'designers' | 'operators' | 'researchers'
  readonly does: string
  load(): Promise<(command: Command) => void>
}

/** The verbs. What a verb needs is loaded where it is asked for: not the whole for each. */
const VERBS: readonly Verb[] = [
  {
    name: 'match',
    by: 'contestants',
    does: 'play one match, turn by turn',
    load: async () => (await import('./match.js')).matchCommand,
  },
  {
    name: 'ladder',
    by: 'contestants',
    does: 'play a bot against all house bots of a game, and show where it stands',
    load: async () => (await import('./ladder.js')).ladderCommand,
  },
  {
    name: 'duel',
    by: 'contestants',
    does: 'find out whether one bot is better than another, in as few matches as possible',
    load: async () => (await import('./duel.js')).duelCommand,
  },
  {
    name: 'check',
    by: 'contestants',
    does: 'check whether a bot speaks the wire: what it was sent, what it answered, how long it took',
    load: async () => (await import('./check.js')).checkCommand,
  },
  {
    name: 'watch',
    by: 'contestants',
    does: 'check a bot each time it is saved, and play it against its previous version',
    load: async () => (await import('./watch.js')).watchCommand,
  },
  {
    name: 'new',
    by: 'contestants',
    does: 'create a bot or a game: a folder with a working one, and all that its author needs',
    load: async () => (await import('./new.js')).newCommand,
  },
  {
    name: 'connect',
    by: 'contestants',
    does: 'let a bot on this machine play on a site',
    load: async () => (await import('./connect.js')).connectCommand,
  },
  {
    name: 'show',
    by: 'contestants',
    does: 'show how a bot did: its matches, faults, what it was sent and answered',
    load: async () => (await import('./show.js')).showCommand,
  },
  {
    name: 'diff',
    by: 'contestants',
    does: 'show where a new version of a bot moves differently',
    load: async () => (await import('./diff.js')).diffCommand,
  },
  {
    name: 'replay',
    by: 'contestants',
    does: 'step through a recorded match',
    load: async () => (await import('./replay.js')).replayCommand,
  },
  {
    name: 'rules',
    by: 'contestants',
    does: "print a game's rules",
    load: async () => (await import('./rules.js')).rulesCommand,
  },
  {
    name: 'games',
    by: 'contestants',
    does: 'list the games that come with agon',
    load: async () => (await import('./games.js')).gamesCommand,
  },
  {
    name: 'wires',
    by: 'contestants',
    does: "list a game's wires: the protocols that a bot can speak",
    load: async () => (await import('./wires.js')).wiresCommand,
  },
  {
    name: 'run',
    by: 'hosts',
    does: 'run a contest: build and check the entrants, play the tournament, print the table, write the results',
    load: async () => (await import('./run.js')).runCommand,
  },
  {
    name: 'init',
    by: 'hosts',
    does: 'create a contest: ask five questions and write a folder with its file',
    load: async () => (await import('./init.js')).initCommand,
  },
  {
    name: 'report',
    by: 'hosts',
    does: 'make the report of a run: a page with every match, Markdown, CSV',
    load: async () => (await import('./report.js')).reportCommand,
  },
  {
    name: 'pause',
    by: 'hosts',
    does: 'pause a run: it starts no more matches',
    load: async () => (await import('./pause.js')).pauseCommand,
  },
  {
    name: 'continue',
    by: 'hosts',
    does: 'continue a paused run',
    load: async () => (await import('./pause.js')).continueCommand,
  },
  {
    name: 'withdraw',
    by: 'hosts',
    does: 'withdraw an entrant from a run',
    load: async () => (await import('./exclude.js')).withdrawCommand,
  },
  {
    name: 'disqualify',
    by: 'hosts',
    does: 'disqualify an entrant from a run',
    load: async () => (await import('./exclude.js')).disqualifyCommand,
  },
  {
    name: 'readmit',
    by: 'hosts',
    does: 'let an entrant that was withdrawn or disqualified play again',
    load: async () => (await import('./exclude.js')).readmitCommand,
  },
  {
    name: 'rule',
    by: 'hosts',
    does: 'let another result of a match count than the recorded one',
    load: async () => (await import('./rule.js')).ruleCommand,
  },
  {
    name: 'rejudge',
    by: 'hosts',
    does: 'judge the stored answers again by the current rules',
    load: async () => (await import('./rejudge.js')).rejudgeCommand,
  },
  {
    name: 'export',
    by: 'hosts',
    does: 'write a run to one self-describing file',
    load: async () => (await import('./export.js')).exportCommand,
  },
  {
    name: 'import',
    by: 'hosts',
    does: 'import a run from such a file',
    load: async () => (await import('./export.js')).importCommand,
  },
  {
    name: 'standings',
    by: 'spectators',
    does: "show the table of a contest's latest run, without playing",
    load: async () => (await import('./standings.js')).standingsCommand,
  },
  {
    name: 'play',
    by: 'spectators',
    does: 'play a match yourself, at the keyboard',
    load: async () => (await import('./play.js')).playCommand,
  },
  {
    name: 'test',
    by: 'designers',
    does: 'test a game: check its contract in thousands of random games with many faults',
    load: async () => (await import('./test.js')).testCommand,
  },
  {
    name: 'serve',
    by: 'operators',
    does: 'serve the workspace as a web site: watch contests, enter bots, play',
    load: async () => (await import('./serve.js')).serveCommand,
  },
  {
    name: 'token',
    by: 'operators',
    does: "make a new token for the site's host",
    load: async () => (await import('./serve.js')).tokenCommand,
  },
  {
    name: 'worker',
    by: 'operators',
    does: 'play matches for the runs of a store on a server, on this machine',
    load: async () => (await import('./worker.js')).workerCommand,
  },
  {
    name: 'workers',
    by: 'operators',
    does: 'list the workers of a store on a server, and what they play',
    load: async () => (await import('./workers.js')).workersCommand,
  },
  {
    name: 'runs',
    by: 'operators',
    does: 'list the runs in the workspace',
    load: async () => (await import('./runs.js')).runsCommand,
  },
  {
    name: 'log',
    by: 'operators',
    does: 'show what was done to a run, when, and by which version of agon',
    load: async () => (await import('./log.js')).logCommand,
  },
  {
    name: 'verify',
    by: 'operators',
    does: 'judge records again, list those that no longer agree, and print the digest of all',
    load: async () => (await import('./verify.js')).verifyCommand,
  },
  {
    name: 'store',
    by: 'operators',
    does: 'check the store for damage, and remove damaged jobs',
    load: async () => (await import('./store.js')).storeCommand,
  },
  {
    name: 'doctor',
    by: 'operators',
    does: 'show what this machine has for sandboxes, and what it lacks',
    load: async () => (await import('./doctor.js')).doctorCommand,
  },
  {
    name: 'rank',
    by: 'researchers',
    does: 'rank a run, or a file of games, by other rules, and show how certain each rank is',
    load: async () => (await import('./rank.js')).rankCommand,
  },
  {
    name: 'twins',
    by: 'researchers',
    does: 'find bots that behave alike on the same positions',
    load: async () => (await import('./twins.js')).twinsCommand,
  },
  {
    name: 'solve',
    by: 'researchers',
    does: 'solve a small game: find its value and an equilibrium',
    load: async () => (await import('./solve.js')).solveCommand,
  },
  {
    name: 'env',
    by: 'researchers',
    does: 'let a program learn a game: observations, actions and rewards as JSON lines',
    load: async () => (await import('./env.js')).envCommand,
  },
]

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
  for (const verb of VERBS) {
    const command = program.command(verb.name).description(verb.does).helpGroup(`For ${verb.by}:`)
    if (words.includes(verb.name)) (await verb.load())(command)
  }
  const [first, asked] = words
  const names = VERBS.map(({ name }) => name)
  if (first === 'help' && asked !== undefined && ![...names, 'help', '-h', '--help'].includes(asked)) {
    throw new UserError(`no verb "${asked}"${didYouMean(asked, names)}; agon help lists them`)
  }
  await program.parseAsync([...words], { from: 'user' })
}

/** Verbs whose arguments may be commands of bots. */
const TAKES_BOTS: ReadonlySet<string> = new Set(['check', 'match', 'duel', 'ladder', 'watch'])

/** A mistake as agon reports all of them: in one line, with what to do. */
function inOneLine(text: string, words: readonly string[]): string {
  const [, what = text, guess] = /^(?:error: )?(.*?)\s*(?:\(Did you mean (?:one of )?(.*)\?\))?\s*$/s.exec(text) ?? []
  const verb = VERBS.find(({ name }) => name === words[0])
  const unquoted = /too many arguments/.test(what) && TAKES_BOTS.has(words[0] ?? '')
  const quotes = unquoted ? 'a command of several words is one argument, in quotes ("python3 bot.py"); ' : ''
  const known = `${quotes}agon help${verb ? ` ${verb.name}` : ''} tells what there is`
  return `agon: ${visible(what.replace(/\.$/, ''))}${guess ? ` (did you mean ${guess}?)` : ''}; ${known}\n`
}

/** A timer or a promise of a bot in this process went wrong: its own affair, like what a program does between its answers. */
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
  // Commander has printed what is wrong, or the help that was asked for.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else fail(error)
})
