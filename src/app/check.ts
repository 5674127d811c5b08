import {
  type AnyWire,
  type Convention,
  type GameKit,
  type Options,
  visible,
  visibleLines,
  wiresOf,
} from '../core/index.js'
import { OUTPUT_BYTES } from '../bots/index.js'
import { type Prepared, conventionsOf } from '../build/index.js'
import { admit } from '../engine/index.js'
import { DEFAULT_TURN_MS } from '../match/index.js'
import { sandboxLimits } from '../sandbox/index.js'
import { entrantOf } from '../workers/entrants.js'
import type { Context } from './context.js'
import { holdingFor } from './holding.js'
import { type TableSetting, entriesNamed, prepareNamed } from './table.js'
import { type MatchTerms, settingOf } from './terms.js'
import { type Report, type StepReport, trial } from './trial.js'
import { roomsFolder } from './workspace.js'

/** Turns of a match of the trial, where the game has such an option. */
const TRIAL_TURNS = 30

/** What a check came to. */
export interface Checked {
  /** It speaks the wire, and made no fault. */
  readonly ok: boolean
  readonly steps: readonly StepReport[]
  /** What its source does not keep of the form that the contest asks for. */
  readonly warnings: readonly Convention[]
}

/**
 * Checks a bot: builds it, starts it, and has it play a few short matches against random opponents. `bot`: a house bot by its name, a
 * file or a command. `on` hears each step once it is done. Throws UserError for what the user can mend beside the bot, and the signal's
 * reason where it is aborted.
 */
export async function checkBot(
  kit: GameKit,
  bot: string,
  terms: MatchTerms,
  context: Context,
  on: (step: StepReport) => void = () => undefined,
): Promise<Checked> {
  const steps: StepReport[] = []
  const warnings = await inSteps(kit, bot, terms, context, (step) => {
    steps.push(step)
    on(step)
  })
  return { ok: steps.every((step) => step.ok), steps, warnings }
}

async function inSteps(
  kit: GameKit,
  word: string,
  terms: MatchTerms,
  context: Context,
  report: Report,
): Promise<readonly Convention[]> {
  const seats = Math.max(2, kit.game.seats.min)
  const { seed = 'check', options = {} } = terms
  const wished = settingOf(kit, { ...terms, seed, options: { ...shortened(kit, options, seats), ...options } }, seats)
  const entries = entriesNamed(kit, [word], terms.wire)
  context.signal?.throwIfAborted()
  const holding = await holdingFor(terms, entries, context)
  const setting = { ...wished, holding }
  const [bot] = await prepareNamed(kit, entries, holding, context)
  context.signal?.throwIfAborted()
  if (!bot?.admitted) {
    const log = visibleLines(bot?.log?.trim() ?? '')
      .split('\n')
      .slice(-20)
    report({ name: 'it is found and built', ok: false, lines: [visible(bot?.why ?? ''), ...log] })
    return []
  }
  const wire = wiresOf(kit, setting.options)[bot.wire] as AnyWire
  report({ name: `it is found and built: ${visible(bot.name)}`, ok: true, lines: factsOf(bot, wire, setting) })
  const warnings = entries[0] === undefined ? [] : await conventionsOf(entries[0], kit, bot.wire)
  if (wire.conventions !== undefined) report(formStep(warnings))
  const limit = (name: string) => setting.limits[name] ?? wire.limits?.[name] ?? DEFAULT_TURN_MS
  const starts = await startStep(kit, bot, seats, setting, wire, limit, context)
  context.signal?.throwIfAborted()
  report(starts.step)
  if (starts.plays) await trial(kit, bot, seats, setting, limit('turn'), report, context)
  return warnings
}

/** Whether it starts and answers; `plays`: a match makes sense. */
async function startStep(
  kit: GameKit,
  bot: Prepared,
  seats: number,
  setting: TableSetting,
  { ready }: AnyWire,
  limit: (name: string) => number,
  { workspace }: Context,
): Promise<{ readonly step: StepReport; readonly plays: boolean }> {
  const rooms = roomsFolder(workspace)
  const admission = await admit(entrantOf(bot, setting.holding, setting.limits), {
    kit,
    ...setting,
    seats,
    rooms: rooms.folder,
  }).finally(rooms.remove)
  // One that is not ready for its first match would be waited for in each.
  const refused = admission.refused ?? (admission.unready && (admission.mute ?? admission.warning))
  const expected = ready ? ` and gets ready (expected to ${ready.expects} within ${limit(ready.within)} ms)` : ''
  const step = {
    name: `it starts${expected}`,
    ok: (refused ?? admission.mute) === undefined,
    lines: [
      refused,
      ...(admission.mute === undefined
        ? []
        : [`${refused === undefined ? `${admission.mute}; ` : ''}a contest leaves it out`]),
    ].flatMap((line) => (line === undefined ? [] : [visible(line)])),
  }
  return { step, plays: refused === undefined }
}

const formStep = (warnings: readonly Convention[]): StepReport => ({
  name: 'its source has the form that the contest asks for',
  ok: true,
  lines: warnings.map(({ file, line, text }) => `warning: ${visible(`${file}:${line}: ${text}`)}`),
})

/** What makes the trial's matches short, where the game can be told so and nobody says otherwise. */
function shortened({ game }: GameKit, given: Options, seats: number): Options {
  const { turns } = game.options
  if (typeof turns !== 'number' || turns <= TRIAL_TURNS || Object.hasOwn(given, 'turns')) return {}
  return game.refuse?.({ ...game.options, turns: TRIAL_TURNS }, seats) === undefined ? { turns: TRIAL_TURNS } : {}
}

function factsOf(bot: Prepared, wire: AnyWire, { limits }: TableSetting): string[] {
  const { run } = bot
  const sandbox = sandboxLimits(limits)
  const told = { turn: DEFAULT_TURN_MS, ...wire.limits, ...limits }
  const times = Object.entries(told).flatMap(([name, ms]) =>
    name === 'output' || name in sandbox ? [] : [`${name} ${ms} ms`],
  )
  return [
    run.kind === 'process'
      ? `runs:   ${visible(run.argv.join(' '))} (in a copy of its files)`
      : `module: ${visible(run.file)}`,
    `wire:   ${bot.wire}: ${visible(wire.summary)}`,
    `limits: ${times.join(', ')}; ${limits['output'] ?? OUTPUT_BYTES} bytes an answer${wire.state ? `; ${wire.state.bytes} bytes in ${wire.state.folder}/` : ''}`,
    `memory: a ${bot.memory}`,
    `cell:   ${Object.entries(sandbox)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')} (docs/sandbox.md)`,
  ]
}
