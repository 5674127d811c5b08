import type { Command } from 'commander'
import {
  type Answer,
  type AnyWire,
  type GameKit,
  type Player,
  type Question,
  type Say,
  botSeed,
  shorten,
  visible,
  wiresOf,
} from '../core/index.js'
import type { Prepared } from '../contest/index.js'
import { admit } from '../engine/index.js'
import { DEFAULT_TURN_MS, type FaultAt, faultsOf } from '../match/index.js'
import { OUTPUT_BYTES } from '../wires/index.js'
import { gameNamed } from './game-named.js'
import { faultText, outcomeText } from './moves.js'
import { entrantOf } from './prepared.js'
import { Sparring } from './sparring.js'
import { Table, type TableSetting, endBotsOnSignals, entriesNamed, prepareNamed } from './table.js'
import { counted, print, visibleLines } from './terminal.js'
import { type MatchOptions, addMatchOptions, gameOptions, limitsOf } from './words.js'
import { roomsFolder, workspaceFolder } from './workspace.js'

/** Questions that are shown in full. */
const SHOWN = 3
/** The trial ends after so many questions, or so many matches. */
const TRIAL = { questions: 10, matches: 5 }
/** Turns of a match of the trial, where the game has such an option. */
const TRIAL_TURNS = 30
/** After this many faults the trial is not worth going on with: one that is always late would take minutes. */
const ENOUGH_FAULTS = 3

const HELP = `
The bot is started, asked for what its wire wants first, and plays a few short
matches against random opponents. Exit code 1: it does not speak the wire, or
made a fault.

Examples:
  agon check samurai "python3 mybot.py"
  agon check gunduel ./mybot --wire exit
  agon check gunduel MyPlayer.hpp`

interface StepReport {
  readonly name: string
  readonly ok: boolean
  readonly lines: readonly string[]
}
type Report = (step: StepReport) => void

export function checkCommand(command: Command): void {
  addMatchOptions(
    command
      .argument('<game>', 'a game, or the file of one')
      .argument('<bot>', "a file, a quoted command, or a house bot's name"),
  )
    .option('--json', 'one JSON document')
    .addHelpText('after', HELP)
    .action(async (game: string, word: string, given: MatchOptions & { json?: boolean }) => {
      endBotsOnSignals()
      const kit = await gameNamed(game)
      const steps: StepReport[] = []
      await check(kit, word, given, (step) => {
        steps.push(step)
        if (!given.json) print(stepText(steps.length, step))
      })
      const ok = steps.every((step) => step.ok)
      if (given.json) print(JSON.stringify({ ok, steps }, undefined, 2))
      else print(ok ? '\nIt speaks the wire.' : '\nIt does not speak the wire as it should: see the steps that FAILED.')
      process.exitCode = ok ? 0 : 1
    })
}

const stepText = (number: number, { name, ok, lines }: StepReport): string =>
  [`${number}. ${ok ? 'ok    ' : 'FAILED'} ${name}`, ...lines.map((line) => `     ${line}`)].join('\n')

async function check(kit: GameKit, word: string, given: MatchOptions, report: Report): Promise<void> {
  const seats = Math.max(2, kit.game.seats.min)
  const setting = {
    seed: given.seed ?? 'check',
    options: gameOptions(kit, [...shortened(kit, given.option ?? [], seats), ...(given.option ?? [])], seats),
    limits: limitsOf(kit, given.limit),
  }
  const [bot] = await prepareNamed(kit, entriesNamed(kit, [word], given.wire))
  if (!bot?.admitted) {
    const log = visibleLines(bot?.log?.trim() ?? '')
      .split('\n')
      .slice(-20)
    return report({ name: 'it is found and built', ok: false, lines: [visible(bot?.why ?? ''), ...log] })
  }
  const wire = wiresOf(kit, setting.options)[bot.wire] as AnyWire
  const limit = (name: string) => setting.limits[name] ?? wire.limits?.[name] ?? DEFAULT_TURN_MS
  report({ name: `it is found and built: ${visible(bot.name)}`, ok: true, lines: factsOf(bot, wire, setting) })
  const rooms = roomsFolder(workspaceFolder())
  const admission = await admit(entrantOf(bot), { kit, ...setting, seats, rooms: rooms.folder }).finally(rooms.remove)
  // One that is not ready for its first match would be waited for in each.
  const refused = admission.refused ?? (admission.unready && admission.warning)
  const { ready } = wire
  const expected = ready ? ` and gets ready (expected to ${ready.expects} within ${limit(ready.within)} ms)` : ''
  report({
    name: `it starts${expected}`,
    ok: refused === undefined,
    lines: refused === undefined ? [] : [visible(refused)],
  })
  if (refused === undefined) await trial(kit, bot, seats, setting, limit('turn'), report)
}

/** Makes the trial's matches short, where the game can be told so and nobody says otherwise. */
function shortened(kit: GameKit, given: readonly string[], seats: number): readonly string[] {
  const { game } = kit
  const { turns } = game.options
  if (typeof turns !== 'number' || turns <= TRIAL_TURNS || given.some((text) => text.startsWith('turns='))) return []
  return game.refuse?.({ ...game.options, turns: TRIAL_TURNS }, seats) === undefined ? [`turns=${TRIAL_TURNS}`] : []
}

function factsOf(bot: Prepared, wire: AnyWire, { limits }: TableSetting): string[] {
  const { run } = bot
  const told = { turn: DEFAULT_TURN_MS, ...wire.limits, ...limits }
  const times = Object.entries(told).flatMap(([name, ms]) => (name === 'output' ? [] : [`${name} ${ms} ms`]))
  return [
    run.kind === 'process'
      ? `runs:   ${visible(run.argv.join(' '))} (in a copy of its files)`
      : `module: ${visible(run.file)}`,
    `wire:   ${bot.wire}: ${visible(wire.summary)}`,
    `limits: ${times.join(', ')}; ${limits['output'] ?? OUTPUT_BYTES} bytes an answer${wire.state ? `; ${wire.state.bytes} bytes in ${wire.state.folder}/` : ''}`,
    `memory: a ${bot.memory}`,
  ]
}

/** Matches against random opponents; the first questions are shown in full. */
async function trial(
  kit: GameKit,
  bot: Prepared,
  seats: number,
  setting: TableSetting,
  limit: number,
  report: Report,
): Promise<void> {
  const sparring = Array.from({ length: seats - 1 }, (_, i) => {
    const player = new Sparring(kit, botSeed(setting.seed, `sparring ${i}`, 'check'))
    return { name: seats === 2 ? 'a random opponent' : `random opponent ${i + 1}`, player }
  })
  const faults: (FaultAt & { match: number })[] = []
  const ends: string[] = []
  let watched: Watched | undefined
  const watch = (player: Player) => (watched = new Watched(player))
  const table = new Table(kit, [{ bot, watch }, ...sparring], setting)
  const { exchanges } = watched as unknown as Watched
  let shown = 0
  try {
    for (let n = 0; n < TRIAL.matches && exchanges.length < TRIAL.questions && faults.length < ENOUGH_FAULTS; n++) {
      const seat = (seats - (n % seats)) % seats
      const { outcome } = await table.play(({ number, moves }) => {
        if (watched?.gaveUp) return
        const own = faultsOf(moves, number).filter((fault) => fault.seat === seat)
        faults.push(...own.map((fault) => ({ ...fault, match: n })))
        const exchange = exchanges[shown]
        if (exchange !== undefined && shown < SHOWN && moves[seat] !== undefined) {
          const lines = [...exchangeLines(exchange), ...own.map((fault) => faultText(bot.name, fault))]
          report({ name: `question ${++shown}`, ok: own.length === 0, lines })
        }
        if (faults.length >= ENOUGH_FAULTS) watched?.giveUp()
      }, n)
      if (!watched?.gaveUp)
        ends.push(
          outcomeText(
            table.names.map((_, i) => table.names[(i + n) % seats] ?? ''),
            outcome,
          ),
        )
    }
  } finally {
    await table.close()
  }
  const slowest = Math.max(0, ...exchanges.map(({ answer }) => answer.wallUs / 1000))
  const stderr = table.stderr(bot.name)
  report({
    name: `${counted(ends.length + (watched?.gaveUp ? 1 : 0), 'match', 'matches')} against random opponents: ${counted(exchanges.length, 'question')}, ${counted(faults.length, 'fault')}`,
    ok: faults.length === 0,
    lines: [
      `slowest answer: ${slowest.toFixed(1)} ms of ${limit} ms`,
      ...faults.map((fault) => `match ${fault.match + 1}, turn ${fault.turn + 1}: ${faultText(bot.name, fault)}`),
      ...(watched?.gaveUp ? [`the trial was ended after ${counted(faults.length, 'fault')}`] : []),
      ...ends,
      ...(stderr === '' ? [] : ['the end of its standard error:', ...lastLines(stderr)]),
    ],
  })
}

const lastLines = (text: string): string[] =>
  text
    .split('\n')
    .slice(-10)
    .map((line) => `  ${visible(line)}`)

function exchangeLines({ said, view, answer }: Exchange): string[] {
  const { heard } = answer
  const sent = said.flatMap((say) => [
    ...(say.argv === undefined ? [] : [`sent arguments: ${say.argv.map((word) => quoted(word, 120)).join(' ')}`]),
    ...(say.file === undefined ? [] : [`sent file:      ${quoted(say.file, 300)}`]),
    ...(say.lines ?? []).map((line) => `sent line:      ${visible(shorten(line, 300))}`),
  ])
  const bare = said.every((say) => say.argv === undefined && say.lines === undefined && say.file === undefined)
  const said2 = heard.out === undefined ? '(nothing)' : quoted(heard.out, 300)
  return [
    ...(bare ? [`sent view:      ${visible(shorten(JSON.stringify(view), 300))}`] : sent),
    `said:           ${said2}${heard.exit === undefined ? '' : `, exit code ${heard.exit}`}`,
    ...(heard.file === undefined ? [] : [`left file:      ${quoted(heard.file, 300)}`]),
    ...(heard.trouble === undefined
      ? []
      : [`trouble:        ${heard.trouble}${heard.why ? `: ${visible(heard.why)}` : ''}`]),
    `took:           ${(answer.wallUs / 1000).toFixed(1)} ms`,
  ]
}

const quoted = (text: string, columns: number): string => visible(JSON.stringify(shorten(text, columns)))

interface Exchange {
  readonly said: readonly Say[]
  readonly view: unknown
  readonly answer: Answer
}

/** A bot whose questions and answers are written down. */
class Watched implements Player {
  readonly exchanges: Exchange[] = []
  gaveUp = false
  private said: Say[] = []

  constructor(private readonly player: Player) {}

  begin(key: string): Promise<void> {
    return this.player.begin(key)
  }
  ready(say: Say | undefined, limit: number): Promise<Answer> {
    return this.player.ready(say, limit)
  }
  tell(say: Say): Promise<void> | void {
    this.said.push(say)
    return this.player.tell(say)
  }
  async ask(question: Question): Promise<Answer> {
    const answer = await this.player.ask(question)
    if (!this.gaveUp) this.exchanges.push({ said: [...this.said, question.say], view: question.view, answer })
    this.said = []
    return answer
  }
  dismiss(): void {
    this.player.dismiss()
  }
  end(): Promise<void> {
    return this.player.end()
  }
  giveUp(): void {
    this.gaveUp = true
    this.player.dismiss()
  }
}
