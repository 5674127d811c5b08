import {
  type AnyWire,
  type BotInput,
  type BotOutput,
  FAULT_KINDS,
  type GameDefinition,
  type Me,
  type Outcome,
  below,
  isFault,
  wiresOf,
} from '../core/index.js'
import { type Case, everyone } from './cases.js'
import { type ReportFinding, called } from './position.js'
import { differenceOf } from './same.js'

/** Holds all wires of a game to what they must keep over one game that has ended. */
export function examineWires(
  definition: GameDefinition,
  of: Case,
  states: readonly unknown[],
  outcome: Outcome,
  report: ReportFinding,
): void {
  const { game } = definition
  // Few moments of a game are enough: what is said depends little on them.
  const every = Math.ceil(states.length / 5)
  const moments = states.filter((_, i) => i % every === 0 || i === states.length - 1)
  for (const [name, wire] of Object.entries(wiresOf(definition, of.options))) {
    const part = (method: string): string => `${method}() of the wire ${name}`
    examineReadiness(name, wire, part, report)
    for (const seat of everyone(of.seats)) {
      const me = meAt(seat, of)
      const views = moments.map((state) => game.view(state, seat))
      const asked = moments.map((state) => game.toMove(state).includes(seat))
      const inputsFor = (who: Me): readonly (BotInput | undefined)[] => [
        wire.start?.(views[0], who),
        ...views.flatMap((view, i) => (asked[i] ? [wire.ask(view, who)] : [])),
        ...views.slice(1).map((view) => wire.update?.(view, who)),
        wire.end?.(views.at(-1), outcome, who),
      ]
      const inputs = called(report, part('ask'), () => inputsFor(me))
      if (inputs === undefined) return
      for (const input of inputs) examineInput(input, name, report)
      const plain: Me = { seat, ids: everyone(of.seats), field: of.seats }
      if (wire.anonymous && differenceOf(inputsFor(plain), inputs) !== undefined)
        report('wires', `the wire ${name} is anonymous, and says otherwise to another id`)
      for (const [i, view] of views.entries()) {
        if (!asked[i]) continue
        for (const output of GARBAGE) {
          const move: unknown = called(report, part('read'), () => wire.read(output, view, me))
          const isMove =
            typeof move === 'string' || (isFault(move as never) && FAULT_KINDS.includes((move as never)['fault']))
          if (move !== undefined && !isMove) report('wires', `${part('read')} gives neither an action nor a fault`)
        }
      }
    }
  }
}

/** What tells whether a bot is ready takes whatever it prints, and says yes or no. */
function examineReadiness(
  name: string,
  { ready }: AnyWire,
  part: (method: string) => string,
  report: ReportFinding,
): void {
  if (ready === undefined) return
  examineInput(ready.input, name, report)
  for (const output of GARBAGE) {
    const said = called(report, part('ready.ok'), () => ({ ready: ready.ok(output) as unknown }))
    if (said !== undefined && typeof said.ready !== 'boolean')
      report('wires', `${part('ready.ok')} gives neither true nor false`)
  }
}

/** A line is one line, and no argument holds the byte that ends it. */
function examineInput(input: BotInput | undefined, name: string, report: ReportFinding): void {
  if (input?.lines?.some((line) => /[\r\n]/.test(line))) report('wires', `the wire ${name} says a line that is none`)
  if (input?.argv?.some((word) => word.includes('\0')))
    report('wires', `the wire ${name} gives an argument with a byte 0`)
}

/** Numbers such as a tournament gives: distinct, in [0, field), not in the order of the seats. */
function meAt(seat: number, { seats, seed }: Pick<Case, 'seats' | 'seed'>): Me {
  const field = seats + 3
  const shift = below(field, seed)
  return { seat, ids: Array.from({ length: seats }, (_, i) => (field - 1 - i + shift) % field), field }
}

/** What bots may say that mean nothing, and what looks like something. */
const GARBAGE: readonly BotOutput[] = [
  {},
  ...[
    '',
    ' ',
    '\0',
    '0',
    '-1',
    '1e9',
    'null',
    '{}',
    '[]',
    '{"action":1}',
    '{"action":"x"}',
    'ÿþ',
    'D\r',
    'x'.repeat(300),
  ].map((out) => ({ out })),
  ...[1, 48, 255].map((exit) => ({ exit })),
  { out: 'a', exit: 3, file: 'b' },
  { file: '' },
]
