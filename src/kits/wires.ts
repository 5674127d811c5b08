import {
  type BotInput,
  type BotOutput,
  FAULT_KINDS,
  type Me,
  type Outcome,
  below,
  isFault,
  wiresOf,
} from '../core/index.js'
import type { ExaminedCase } from './cases.js'
import { differenceOf } from './same.js'

/** Holds all wires of a game to their contract over one ended game. */
export function examineWires(examined: ExaminedCase, states: readonly unknown[], outcome: Outcome): void {
  const { definition, of, seats } = examined
  const { game } = definition
  // A few moments of a game do: texts depend little on them.
  const every = Math.ceil(states.length / 5)
  const moments = states.filter((_, i) => i % every === 0 || i === states.length - 1)
  for (const [name, wire] of Object.entries(wiresOf(definition, of.options))) {
    const part = (method: string): string => `${method}() of the wire ${name}`
    const examineInput = (input: BotInput | undefined): void => {
      if (input?.lines?.some((line) => /[\r\n]/.test(line)))
        examined.report('wires', `the wire ${name} says a line that is none`)
      if (input?.argv?.some((word) => word.includes('\0')))
        examined.report('wires', `the wire ${name} gives an argument with a byte 0`)
    }
    // What tells of readiness takes any print, and says yes or no.
    examineInput(wire.ready?.input)
    for (const output of wire.ready === undefined ? [] : GARBAGE) {
      const said = examined.called(part('ready.ok'), () => ({ ready: wire.ready?.ok(output) as unknown }))
      if (said !== undefined && typeof said.ready !== 'boolean')
        examined.report('wires', `${part('ready.ok')} gives neither true nor false`)
    }
    // Numbers as of a tournament: distinct, in [0, field), not in seat order.
    const field = of.seats + 3
    const ids = seats.map((i) => (field - 1 - i + below(field, of.seed)) % field)
    for (const seat of seats) {
      const me: Me = { seat, ids, field }
      const views = moments.map((state) => game.view(state, seat))
      const asked = views.filter((_, i) => game.toMove(moments[i]).includes(seat))
      const inputsFor = (who: Me): readonly (BotInput | undefined)[] => [
        wire.start?.(views[0], who),
        ...asked.map((view) => wire.ask(view, who)),
        ...views.slice(1).map((view) => wire.update?.(view, who)),
        wire.end?.(views.at(-1), outcome, who),
      ]
      const inputs = examined.called(part('ask'), () => inputsFor(me))
      if (inputs === undefined) return
      inputs.forEach(examineInput)
      const plain: Me = { seat, ids: seats, field: of.seats }
      if (wire.anonymous && differenceOf(inputsFor(plain), inputs) !== undefined)
        examined.report('wires', `the wire ${name} is anonymous, and says otherwise to another id`)
      for (const view of asked) {
        for (const output of GARBAGE) {
          const move: unknown = examined.called(part('read'), () => wire.read(output, view, me))
          const isMove =
            typeof move === 'string' || (isFault(move as never) && FAULT_KINDS.includes((move as never)['fault']))
          if (move !== undefined && !isMove)
            examined.report('wires', `${part('read')} gives neither an action nor a fault`)
        }
      }
    }
  }
}

/** What means nothing from a bot, and what looks like something. */
const GARBAGE: readonly BotOutput[] = [
  {},
  ...['', ' ', '\0', '0', '-1', '1e9', 'null', '{}', '[]', '{"action":1}', '{"action":"x"}', 'ÿþ', 'D\r'].map(
    (out) => ({ out }),
  ),
  { out: 'x'.repeat(300) },
  ...[1, 48, 255].map((exit) => ({ exit })),
  { out: 'a', exit: 3, file: 'b' },
  { file: '' },
]
