import { Command, CommanderError } from 'commander'
import { UserError, didYouMean, visible } from '../core/index.js'
import { fail } from './exit.js'
import { closeInherited } from './inherited.js'
import { VERSION } from '../app/version.js'
import { surviveClosedPipes, notify } from './terminal.js'

/** The verbs. What a verb needs is loaded where it is asked for: not the whole for each. */
const VERBS: readonly { name: string; does: string; load: () => Promise<(command: Command) => void> }[] = [
  {
    name: 'run',
    does: 'run a contest: build and check the entrants, play the tournament, print the table, write the results',
    load: async () => (await import('./run.js')).runCommand,
  },
  {
    name: 'init',
    does: 'create a contest: ask five questions and write a folder with its file',
    load: async () => (await import('./init.js')).initCommand,
  },
  {
    name: 'match',
    does: 'play one match, turn by turn',
    load: async () => (await import('./match.js')).matchCommand,
  },
  {
    name: 'duel',
    does: 'find out whether one bot is better than another, in as few matches as possible',
    load: async () => (await import('./duel.js')).duelCommand,
  },
  {
    name: 'check',
    does: 'check whether a bot speaks the wire: what it was sent, what it answered, how long it took',
    load: async () => (await import('./check.js')).checkCommand,
  },
  {
    name: 'watch',
    does: 'check a bot each time it is saved, and play it against its previous version',
    load: async () => (await import('./watch.js')).watchCommand,
  },
  {
    name: 'new',
    does: 'create a bot or a game: a folder with a working one, and all that its author needs',
    load: async () => (await import('./new.js')).newCommand,
  },
  {
    name: 'test',
    does: 'test a game: check its contract in thousands of random games with many faults',
    load: async () => (await import('./test.js')).testCommand,
  },
  {
    name: 'solve',
    does: 'solve a small game: find its value and an equilibrium',
    load: async () => (await import('./solve.js')).solveCommand,
  },
  {
    name: 'rules',
    does: "print a game's rules",
    load: async () => (await import('./rules.js')).rulesCommand,
  },
  {
    name: 'play',
    does: 'play a match yourself, at the keyboard',
    load: async () => (await import('./play.js')).playCommand,
  },
  {
    name: 'env',
    does: 'let a program learn a game: observations, actions and rewards as JSON lines',
    load: async () => (await import('./env.js')).envCommand,
  },
  {
    name: 'replay',
    does: 'step through a recorded match',
    load: async () => (await import('./replay.js')).replayCommand,
  },
  {
    name: 'report',
    does: 'make the report of a run: a page with every match, Markdown, CSV',
    load: async () => (await import('./report.js')).reportCommand,
  },
  {
    name: 'standings',
    does: "show the table of a contest's latest run, without playing",
    load: async () => (await import('./standings.js')).standingsCommand,
  },
  {
    name: 'rank',
    does: 'rank a run, or a file of games, by other rules, and show how certain each rank is',
    load: async () => (await import('./rank.js')).rankCommand,
  },
  {
    name: 'show',
    does: 'show how a bot did: its matches, faults, what it was sent and answered',
    load: async () => (await import('./show.js')).showCommand,
  },
  {
    name: 'diff',
    does: 'show where a new version of a bot moves differently',
    load: async () => (await import('./diff.js')).diffCommand,
  },
  {
    name: 'twins',
    does: 'find bots that behave alike on the same positions',
    load: async () => (await import('./twins.js')).twinsCommand,
  },
  {
    name: 'runs',
    does: 'list the runs in the workspace',
    load: async () => (await import('./runs.js')).runsCommand,
  },
  {
    name: 'log',
    does: 'show what was done to a run, when, and by which version of agon',
    load: async () => (await import('./log.js')).logCommand,
  },
  {
    name: 'worker',
    does: 'play matches for the runs of a store on a server, on this machine',
    load: async () => (await import('./worker.js')).workerCommand,
  },
  {
    name: 'workers',
    does: 'list the workers of a store on a server, and what they play',
    load: async () => (await import('./workers.js')).workersCommand,
  },
  {
    name: 'withdraw',
    does: 'withdraw an entrant from a run',
    load: async () => (await import('./exclude.js')).withdrawCommand,
  },
  {
    name: 'disqualify',
    does: 'disqualify an entrant from a run',
    load: async () => (await import('./exclude.js')).disqualifyCommand,
  },
  {
    name: 'pause',
    does: 'pause a run: it starts no more matches',
    load: async () => (await import('./pause.js')).pauseCommand,
  },
  {
    name: 'continue',
    does: 'continue a paused run',
    load: async () => (await import('./pause.js')).continueCommand,
  },
  {
    name: 'rejudge',
    does: 'judge the stored answers again by the current rules',
    load: async () => (await import('./rejudge.js')).rejudgeCommand,
  },
  {
    name: 'export',
    does: 'write a run to one self-describing file',
    load: async () => (await import('./export.js')).exportCommand,
  },
  {
    name: 'import',
    does: 'import a run from such a file',
    load: async () => (await import('./export.js')).importCommand,
  },
  {
    name: 'verify',
    does: 'judge records again, list those that no longer agree, and print the digest of all',
    load: async () => (await import('./verify.js')).verifyCommand,
  },
  {
    name: 'store',
    does: 'check the store for damage, and remove damaged jobs',
    load: async () => (await import('./store.js')).storeCommand,
  },
  {
    name: 'serve',
    does: 'serve the workspace as a web site: watch contests, enter bots, play',
    load: async () => (await import('./serve.js')).serveCommand,
  },
  {
    name: 'token',
    does: "make a new token for the site's host",
    load: async () => (await import('./serve.js')).tokenCommand,
  },
  {
    name: 'doctor',
    does: 'show what this machine has for sandboxes, and what it lacks',
    load: async () => (await import('./doctor.js')).doctorCommand,
  },
  {
    name: 'games',
    does: 'list the games that come with agon',
    load: async () => (await import('./games.js')).gamesCommand,
  },
  {
    name: 'wires',
    does: "list a game's wires: the protocols that a bot can speak",
    load: async () => (await import('./wires.js')).wiresCommand,
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
  for (const { name, does, load } of VERBS) {
    const command = program.command(name).description(does)
    if (words.includes(name)) (await load())(command)
  }
  const [first, asked] = words
  const names = VERBS.map(({ name }) => name)
  if (first === 'help' && asked !== undefined && ![...names, 'help', '-h', '--help'].includes(asked)) {
    throw new UserError(`no verb "${asked}"${didYouMean(asked, names)}; agon help lists them`)
  }
  await program.parseAsync([...words], { from: 'user' })
}

/** Verbs whose arguments may be commands of bots. */
const TAKES_BOTS: ReadonlySet<string> = new Set(['check', 'match', 'duel', 'watch'])

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

closeInherited()
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
