import {
  UserError,
  type Answer,
  type Heard,
  type MatchRecord,
  type Move,
  type Player,
  type Seat,
  type Step,
  type Timing,
  packHeard,
} from '../core/index.js'
import { Keeper } from './keep.js'
import { DEFAULT_STEPS, endless, isRestDue } from './pace.js'
import { type Bench, type Fixture, benchOf, meAt, moveOf, unreadyOf, wireAt } from './judge.js'

/** Milliseconds where neither the contest nor the wire says anything. */
export const DEFAULT_TURN_MS = 1000

/** A match to be played: what it is, and who sits there. */
export interface Setting {
  readonly fixture: Fixture
  readonly kit: Parameters<typeof benchOf>[0]
  /** By seat. */
  readonly players: readonly Player[]
  /** Milliseconds by name, over the wires' own. */
  readonly limits?: Readonly<Record<string, number>>
  /** Steps at most: a game that has not ended by then is its designer's mistake. Absent: `DEFAULT_STEPS`. */
  readonly steps?: number
  /** The game's file, where it did not ship with agon. */
  readonly file?: string
  /** Lets this process do what else there is to do, now and then: hear a signal. Absent: bots that answer at once keep it busy. */
  readonly rest?: () => Promise<void>
  /** Whether the match is given up; asked before each step. */
  readonly givenUp?: () => boolean
  /** Called after every step, for those who watch. */
  onStep?(step: LiveStep): void
}
export interface LiveStep {
  readonly number: number
  readonly before: unknown
  readonly moves: readonly (Move<string> | undefined)[]
  readonly after: unknown
}

/**
 * Plays a match to its end and returns its record. Every seat that is due is asked at the same time. It throws only where agon
 * or the game itself fails (a UserError: the designer's mistake): the match is then void.
 */
export async function playMatch(setting: Setting): Promise<MatchRecord> {
  const { fixture, kit, players } = setting
  const { game } = kit
  const bench = benchOf(kit, fixture)
  const everyone = players.map((player, seat) => ({ player, seat }))
  let state = game.setup(players.length, fixture.options, fixture.luck)
  const view = (seat: Seat) => freeze(game.view(state, seat))
  try {
    await Promise.all(everyone.map(({ player }) => player.begin(fixture.key ?? '')))
    const keeper = new Keeper(players.length)
    const ready = (await getReady(setting, bench)).map(
      ([seat, heard]) =>
        [seat, keeper.keep(seat, heard, (each) => unreadyOf(bench, [[seat, each]]).get(seat))] as const,
    )
    const unready = unreadyOf(bench, ready)
    for (const seat of unready.keys()) players[seat]?.dismiss()
    await Promise.all(
      everyone.map(({ player, seat }) => say(player, wireAt(bench, seat).start?.(view(seat), meAt(bench, seat)))),
    )

    const steps: Step[] = []
    const times: Timing[][] = []
    const asked = players.map(() => 0)
    const most = setting.steps ?? DEFAULT_STEPS
    for (let due = game.toMove(state); due.length > 0; due = game.toMove(state)) {
      if (setting.givenUp?.()) throw new Error('the match was given up')
      if (steps.length >= most) throw endless(nameOf(setting), most)
      const before = state
      const views = due.map(view)
      const answers = await Promise.all(
        due.map(async (seat, i) => {
          if (unready.has(seat)) return { heard: NOT_READY, wallUs: 0 }
          const wire = wireAt(bench, seat)
          const number = asked[seat] ?? 0
          asked[seat] = number + 1
          return players[seat]!.ask({
            say: wire.ask(views[i], meAt(bench, seat)),
            view: views[i],
            number,
            limit: limitOf(setting, bench, seat, 'turn'),
          })
        }),
      )
      const moves: (Move<string> | undefined)[] = players.map(() => undefined)
      const kept = due.map((seat, i) =>
        keeper.keep(seat, answers[i]!.heard, (heard) => moveOf(bench, unready, seat, heard, views[i])),
      )
      for (const [i, seat] of due.entries()) moves[seat] = moveOf(bench, unready, seat, kept[i]!, views[i])
      state = game.play(before, moves)
      steps.push(due.map((seat, i) => [seat, packHeard(kept[i]!)] as const))
      times.push(answers.map(timing))
      setting.onStep?.({ number: steps.length - 1, before, moves, after: state })
      for (const { player, seat } of everyone) {
        const told = wireAt(bench, seat).told?.(view(seat), meAt(bench, seat))
        if (told !== undefined) await player.tell(told)
      }
      if (isRestDue(answers.reduce((sum, { wallUs }) => sum + wallUs, 0))) await setting.rest?.()
    }
    const outcome = game.outcome(state)
    if (outcome === undefined)
      throw new UserError(`the game ${game.id} breaks its own rules: nobody is due and there is no outcome`)
    if (outcome.place?.length !== players.length) {
      throw new UserError(
        `the game ${game.id} breaks its own rules: its outcome has places of ${outcome.place?.length ?? 0} seats, and there are ${players.length}`,
      )
    }
    await Promise.all(
      everyone.map(({ player, seat }) =>
        say(player, wireAt(bench, seat).end?.(view(seat), outcome, meAt(bench, seat))),
      ),
    )
    return { ...fixture, ready, steps, times, outcome }
  } finally {
    await Promise.all(players.map((player) => player.end()))
  }
}

const nameOf = ({ kit, file }: Setting): string => (file === undefined ? kit.game.id : `${kit.game.id} (${file})`)

const NOT_READY: Heard = { trouble: 'killed', why: 'was not ready' }

async function getReady(setting: Setting, bench: Bench): Promise<MatchRecord['ready']> {
  const answers = await Promise.all(
    setting.players.map(async (player, seat) => {
      const expected = wireAt(bench, seat).ready
      if (expected?.at !== 'match') return []
      const { heard } = await player.ready(expected.say, limitOf(setting, bench, seat, expected.within))
      return [[seat, heard] as const]
    }),
  )
  return answers.flat()
}

async function say(player: Player, what: Parameters<Player['tell']>[0] | undefined): Promise<void> {
  if (what !== undefined) await player.tell(what)
}

/** The limit of that name in milliseconds: the contest's, else the wire's, else a second. */
function limitOf(setting: Pick<Setting, 'limits'>, bench: Bench, seat: Seat, name: string): number {
  return setting.limits?.[name] ?? wireAt(bench, seat).limits?.[name] ?? DEFAULT_TURN_MS
}

const timing = (answer: Answer): Timing => {
  const wall = Math.round(answer.wallUs)
  if (answer.cpuUs === undefined) return [wall]
  const cpu = Math.round(answer.cpuUs)
  return answer.chargedUs === undefined ? [wall, cpu] : [wall, cpu, Math.round(answer.chargedUs)]
}

/** Freezes a view through and through, so that a bot in this process cannot change what the referee sees. */
export function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) freeze(part)
  }
  return value
}
