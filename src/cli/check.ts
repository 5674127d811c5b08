import type { Command } from 'commander'
import { type AnyWire, type Convention, type GameKit, visible, wiresOf, visibleLines } from '../core/index.js'
import { cellLimits } from '../sandbox/index.js'
import { type Prepared, conventionsOf } from '../build/index.js'
import { admit } from '../engine/index.js'
import { DEFAULT_TURN_MS } from '../match/index.js'
import { OUTPUT_BYTES } from '../bots/index.js'
import { gameNamed } from './game-named.js'
import { holdingFor } from '../app/holding.js'
import { entrantOf } from '../workers/entrants.js'
import { endBotsOnSignals } from './signals.js'
import { type TableSetting, entriesNamed, prepareNamed } from '../app/table.js'
import { print } from './terminal.js'
import { type Report, type StepReport, trial } from '../app/trial.js'
import { type MatchOptions, addMatchOptions, gameOptions, limitsOf } from './words.js'
import { roomsFolder } from '../app/workspace.js'
import { contextOf, isolationOf, workspaceFolder } from './options.js'

/** Turns of a match of the trial, where the game has such an option. */
const TRIAL_TURNS = 30
const HELP = `
The bot is started, asked for what its wire wants first, and plays a few short
matches against random opponents. Exit code 1: it does not speak the wire, or
made a fault. What its source does not keep of the form that the contest asks for
is told as warnings, which change no exit code.

Examples:
  agon check samurai "python3 mybot.py"
  agon check gunduel ./mybot --wire exit
  agon check gunduel MyPlayer.hpp`

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
      const warnings = await check(kit, word, given, (step) => {
        steps.push(step)
        if (!given.json) print(stepText(steps.length, step))
      })
      const ok = steps.every((step) => step.ok)
      if (given.json) print(JSON.stringify({ ok, steps, warnings }, undefined, 2))
      else print(ok ? '\nIt speaks the wire.' : '\nIt does not speak the wire as it should: see the steps that FAILED.')
      process.exitCode = ok ? 0 : 1
    })
}

const stepText = (number: number, { name, ok, lines }: StepReport): string =>
  [`${number}. ${ok ? 'ok    ' : 'FAILED'} ${name}`, ...lines.map((line) => `     ${line}`)].join('\n')

async function check(kit: GameKit, word: string, given: MatchOptions, report: Report): Promise<readonly Convention[]> {
  const seats = Math.max(2, kit.game.seats.min)
  const trialSetting = {
    seed: given.seed ?? 'check',
    options: gameOptions(kit, [...shortened(kit, given.option ?? [], seats), ...(given.option ?? [])], seats),
    limits: limitsOf(kit, given.limit),
  }
  const entries = entriesNamed(kit, [word], given.wire)
  const holding = await holdingFor(isolationOf(given), entries, contextOf())
  const setting = { ...trialSetting, holding }
  const [bot] = await prepareNamed(kit, entries, holding, contextOf())
  if (!bot?.admitted) {
    const log = visibleLines(bot?.log?.trim() ?? '')
      .split('\n')
      .slice(-20)
    report({ name: 'it is found and built', ok: false, lines: [visible(bot?.why ?? ''), ...log] })
    return []
  }
  const wire = wiresOf(kit, setting.options)[bot.wire] as AnyWire
  const limit = (name: string) => setting.limits[name] ?? wire.limits?.[name] ?? DEFAULT_TURN_MS
  report({ name: `it is found and built: ${visible(bot.name)}`, ok: true, lines: factsOf(bot, wire, setting) })
  const warnings = entries[0] === undefined ? [] : await conventionsOf(entries[0], kit, bot.wire)
  if (wire.conventions !== undefined) report(formStep(warnings))
  const rooms = roomsFolder(workspaceFolder())
  const admission = await admit(entrantOf(bot, holding, setting.limits), {
    kit,
    ...setting,
    seats,
    rooms: rooms.folder,
  }).finally(rooms.remove)
  // One that is not ready for its first match would be waited for in each.
  const refused = admission.refused ?? (admission.unready && (admission.mute ?? admission.warning))
  const { ready } = wire
  const expected = ready ? ` and gets ready (expected to ${ready.expects} within ${limit(ready.within)} ms)` : ''
  report({
    name: `it starts${expected}`,
    ok: (refused ?? admission.mute) === undefined,
    lines: [
      refused,
      ...(admission.mute === undefined
        ? []
        : [`${refused === undefined ? `${admission.mute}; ` : ''}a contest leaves it out`]),
    ].flatMap((line) => (line === undefined ? [] : [visible(line)])),
  })
  if (refused === undefined) await trial(kit, bot, seats, setting, limit('turn'), report, contextOf())
  return warnings
}

const formStep = (warnings: readonly Convention[]): StepReport => ({
  name: 'its source has the form that the contest asks for',
  ok: true,
  lines: warnings.map(({ file, line, text }) => `warning: ${visible(`${file}:${line}: ${text}`)}`),
})

/** Makes the trial's matches short, where the game can be told so and nobody says otherwise. */
function shortened(kit: GameKit, given: readonly string[], seats: number): readonly string[] {
  const { game } = kit
  const { turns } = game.options
  if (typeof turns !== 'number' || turns <= TRIAL_TURNS || given.some((text) => text.startsWith('turns='))) return []
  return game.refuse?.({ ...game.options, turns: TRIAL_TURNS }, seats) === undefined ? [`turns=${TRIAL_TURNS}`] : []
}

function factsOf(bot: Prepared, wire: AnyWire, { limits }: TableSetting): string[] {
  const { run } = bot
  const cell = cellLimits(limits)
  const told = { turn: DEFAULT_TURN_MS, ...wire.limits, ...limits }
  const times = Object.entries(told).flatMap(([name, ms]) =>
    name === 'output' || name in cell ? [] : [`${name} ${ms} ms`],
  )
  return [
    run.kind === 'process'
      ? `runs:   ${visible(run.argv.join(' '))} (in a copy of its files)`
      : `module: ${visible(run.file)}`,
    `wire:   ${bot.wire}: ${visible(wire.summary)}`,
    `limits: ${times.join(', ')}; ${limits['output'] ?? OUTPUT_BYTES} bytes an answer${wire.state ? `; ${wire.state.bytes} bytes in ${wire.state.folder}/` : ''}`,
    `memory: a ${bot.memory}`,
    `cell:   ${Object.entries(cell)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')} (docs/cells.md)`,
  ]
}
