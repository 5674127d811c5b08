import { join } from 'node:path'
import {
  type AnyWire,
  type Convention,
  type GameDefinition,
  type MatchRecord,
  type Options,
  type SourceText,
  UserError,
  visible,
  visibleLines,
  wiresOf,
} from '../../core/index.js'
import { OUTPUT_BYTES } from '../../bots/index.js'
import { type NotBuilt, conventionsOf, prepareBots, sourceTextsOf, wasBuilt } from '../../build/index.js'
import { type Entry, gameFile, houseBots } from '../../contest/index.js'
import { admit } from '../../engine/index.js'
import { kindOf } from '../../files/index.js'
import { DEFAULT_TURN_MS, limitOf } from '../../match/index.js'
import { type SandboxLimits, sandboxLimits } from '../../sandbox/index.js'
import { byteText, counted } from '../../text/index.js'
import { seatable } from '../../engine/seating.js'
import { replayerOf } from '../compare/replayer.js'
import type { Context } from '../context.js'
import { findBotIsolation } from '../machine.js'
import { type MatchTerms, entriesNamed, forgetful, settingOf } from '../match-host.js'
import { roomsFolder } from '../workspace.js'
import { lackingInBuild } from './causes-of-programs.js'
import { causesOf } from './causes.js'
import { type ReportStep, type StepReport, Trial, type TrialFault, type TrialSetting } from './trial.js'

/** Turns of a trial's match, if the game has the option; a process a question takes its time. */
const TURNS = { turn: 60, stays: 200 }
const HOUSE_BOTS = 2
const LOG_LINES_SHOWN = 200

export interface CheckResult {
  /** It speaks the wire, and made no fault. */
  readonly ok: boolean
  /** It is built, starts and answers: a contest takes it. */
  readonly plays: boolean
  readonly steps: readonly StepReport[]
  /** Breaches of the contest's form of sources. */
  readonly warnings: readonly Convention[]
  readonly covered: Trial['covered']
  readonly faults: readonly TrialFault[]
}

interface Checked {
  readonly definition: GameDefinition
  readonly word: string
  readonly terms: MatchTerms
  readonly context: Context
}

/**
 * Builds and starts a bot, and plays a `Trial`. `on` receives each finished step. Throws UserError for what is to be
 * mended beside the bot, and the signal's reason.
 */
export async function checkBot(checked: Checked, on: ReportStep = () => undefined): Promise<CheckResult> {
  const { definition, word, terms } = checked
  const [own] = entriesNamed(definition, [word], terms.wires) as [Entry]
  return checkEntry({ ...checked, own }, on)
}

/** Of a bot that was read; `word`: what its user calls it. */
export async function checkEntry(checked: Checked & { readonly own: Entry }, on: ReportStep): Promise<CheckResult> {
  const { definition, word, own, terms, context } = checked
  const steps: StepReport[] = []
  const report = (step: StepReport): void => {
    steps.push(step)
    on(step)
  }
  const result = (found: Partial<CheckResult> = {}): CheckResult => {
    const covered = { matches: 0, questions: 0, turns: 0, ends: [], kinds: [] }
    return { ok: steps.every((step) => step.ok), plays: false, steps, warnings: [], covered, faults: [], ...found }
  }
  const seats = seatsOf(definition)
  const opponents = houseBots(definition).filter(({ spec }) => spec.module !== undefined && spec.name !== own.spec.name)
  const names = opponents.slice(0, HOUSE_BOTS).map(({ spec }) => spec.name)
  const entries = [own, ...entriesNamed(definition, names, terms.wires?.slice(0, 1))]
  const plain = settingOf(definition, { ...terms, seed: terms.seed ?? 'check' }, seats)
  context.signal?.throwIfAborted()
  const isolation = await findBotIsolation(terms, entries.slice(0, 1), context)
  const { workspace, notice } = context
  const [bot, ...house] = await prepareBots(entries, definition, { ...terms, isolation, workspace, onNote: notice })
  context.signal?.throwIfAborted()
  const texts = await sourceTextsOf(own)
  if (bot === undefined || !wasBuilt(bot)) {
    // The machine lacks what strangers' bots need.
    if (bot !== undefined && bot.why === isolation.refusal)
      throw new UserError(`${visible(bot.name)} cannot play: ${isolation.refusal}`)
    report({ name: 'it is found and built', ok: false, lines: unbuiltLines(bot, own, texts) })
    return result()
  }
  const wire = wiresOf(definition, plain.options)[bot.wire] as AnyWire
  const stays = { turn: false, lines: true, module: undefined }[wire.transport]
  const options = { ...plain.options, ...shortened(definition, terms.options ?? {}, seats, stays) }
  const known = { wire: bot.wire, stays, word, texts }
  const setting = { ...plain, options, isolation }
  const trying = { definition, bot, wire, house: house.filter(wasBuilt), setting, known }
  report({ name: `it is found and built: ${visible(bot.name)}`, ok: true, lines: factsOf(trying) })
  const warnings = await conventionsOf(own, definition, bot.wire)
  if (wire.conventions !== undefined) report(formStep(warnings))
  const { step, plays } = await startStep(trying, context)
  context.signal?.throwIfAborted()
  report(step)
  if (!plays) return result({ warnings })
  const trial = new Trial(trying, report, context)
  await trial.run()
  if (own.spec.deterministic === true && trial.faults.length === 0 && trial.firstMatch !== undefined)
    report(await sameAgainStep(trying, trial.firstMatch, context))
  return result({ warnings, plays: step.ok, covered: trial.covered, faults: trial.faults })
}

function unbuiltLines(bot: NotBuilt | undefined, { spec, base }: Entry, texts: readonly SourceText[]): string[] {
  const { why = '', log = '' } = bot ?? {}
  const lines = visibleLines(log.trim()).split('\n')
  const isBeside = (file: string): boolean => spec.folder === undefined && kindOf(join(base, file)) !== undefined
  const lacking = lackingInBuild(log, texts, (spec.build ?? []).flat(), isBeside)
  const likely = lacking === undefined ? [] : [`  likely: ${visible(lacking)}`]
  return [visible(why), ...lines.filter((line) => line !== '').slice(0, LOG_LINES_SHOWN), ...likely]
}

/** Whether it starts and answers; `plays`: a match makes sense. */
async function startStep({ definition, bot, wire, setting, known }: TrialSetting, { workspace, spell }: Context) {
  const { ready } = wire
  const rooms = roomsFolder(workspace)
  const { refused, unready, mute, warning } = await admit(seatable(bot, setting.isolation, setting.limits), {
    definition,
    ...setting,
    seats: seatsOf(definition),
    rooms: rooms.folder,
    gameFile: gameFile(definition),
  }).finally(rooms.release)
  // Each match would wait for one that is not ready.
  const why = refused ?? (unready && (mute ?? warning))
  const leftOut = why === undefined ? `${mute}; a contest leaves it out` : 'a contest leaves it out'
  const causes =
    why === undefined ? [] : causesOf({ ...known, fault: 'refused', why, said: '', stderr: '', legal: [] }, spell)
  const expected = ready
    ? ` and gets ready (expected to ${ready.expects} within ${limitOf(setting.limits, wire, ready.within)} ms)`
    : ''
  const lines = [why, mute && leftOut, ...causes.map((cause) => `  likely: ${cause}`)]
  const step = {
    name: `it starts${expected}`,
    ok: (why ?? mute) === undefined,
    lines: lines.flatMap((line) => (line === undefined ? [] : [visible(line)])),
  }
  return { step, plays: why === undefined }
}

/** Replays a match with another chance: a bot that is declared deterministic has to answer the same. */
async function sameAgainStep({ definition, bot, setting }: TrialSetting, record: MatchRecord, context: Context) {
  const replayer = replayerOf(definition, { seed: `${setting.seed} again`, contest: setting }, context)
  const seat = record.seats.findIndex(({ entrant }) => entrant === bot.name)
  const lines: string[] = []
  try {
    const player = replayer.start(seatable(forgetful(bot), setting.isolation, setting.limits), 'again')
    for await (const { step, was, now } of replayer.moves(player, record, seat)) {
      if (was === now) continue
      lines.push(`turn ${step + 1} of match 1: it answered ${visible(was)}, and now ${visible(now)}`)
      break
    }
  } finally {
    await replayer.close()
  }
  return { name: 'it answers the same when it is sent the same, as it declares', ok: lines.length === 0, lines }
}

const seatsOf = ({ game }: GameDefinition): number => Math.max(2, game.seats.min)

const formStep = (warnings: readonly Convention[]): StepReport => ({
  name: 'its source has the form that the contest asks for',
  ok: true,
  lines: warnings.map(({ file, line, text }) => `warning: ${visible(`${file}:${line}: ${text}`)}`),
})

/** Bounds the trial's matches, if the game has an option for it that the caller leaves unset. */
function shortened({ game }: GameDefinition, given: Options, seats: number, stays: boolean | undefined): Options {
  const { turns } = game.options
  const most = stays === false ? TURNS.turn : TURNS.stays
  if (typeof turns !== 'number' || turns <= most || Object.hasOwn(given, 'turns')) return {}
  return game.refuse?.({ ...game.options, ...given, turns: most }, seats) === undefined ? { turns: most } : {}
}

/** Sandbox limits that are no bytes. */
const COUNTED: ReadonlySet<string> = new Set(['processes', 'files'] satisfies (keyof SandboxLimits)[])

function factsOf({ bot, wire, setting: { limits } }: TrialSetting): string[] {
  const { program } = bot
  const runs =
    'argv' in program
      ? `runs:    ${visible(program.argv.join(' '))} (in a copy of its files)`
      : `module:  ${'file' in program ? visible(program.file) : 'on the machine of its author'}`
  const sandbox = sandboxLimits(limits)
  const { late, ...given }: Record<string, number> = { turn: DEFAULT_TURN_MS, ...wire.limits, ...limits }
  const times = Object.entries(given).flatMap(([name, ms]) =>
    name === 'output' || name in sandbox ? [] : [`${name} ${ms} ms`],
  )
  if (late !== undefined) times.push(`${counted(late, 'late answer')} of a match forgiven`)
  const bounds = Object.entries<number>({ ...sandbox }).map(([name, value]) => {
    return `${name} ${COUNTED.has(name) ? value : byteText(value)}`
  })
  return [
    runs,
    `wire:    ${bot.wire}: ${visible(wire.summary)}`,
    `limits:  ${times.join(', ')}; ${limits['output'] ?? OUTPUT_BYTES} bytes an answer${wire.state ? `; ${wire.state.bytes} bytes in ${wire.state.folder}/` : ''}`,
    `memory:  a ${bot.memory}`,
    `sandbox: ${bounds.join(', ')} (docs/sandbox.md)`,
  ]
}
