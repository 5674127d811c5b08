import { resolve } from 'node:path'
import {
  type Bot,
  type BotModule,
  type GameDefinition,
  type Options,
  type Wording,
  message,
  option,
  type Spell,
  spelled,
  UserError,
  below,
  botOf,
  isLegal,
  messageOf,
  visible,
} from '../../core/index.js'
import { chanceOf } from '../../bots/module.js'
import { importFresh, tellSeeds } from '../../contest/index.js'
import { type Act, type Examination, type ExamineOptions, type Finding, examine } from '../../kits/index.js'
import { withoutChance } from '../../engine/index.js'
import { counted } from '../../text/index.js'

/** `act` plays the games without faults, in all seats. */
interface TestOptions extends Pick<ExamineOptions, 'seed' | 'games' | 'seats' | 'act'> {
  /** Steps after which a game counts as endless. */
  readonly steps: number
  /** Milliseconds after which no game begins; one that works for half of them, and ten seconds, counts as endless. */
  readonly ms: number
  readonly options?: Options
}

/** A module's bot as the player. Throws UserError where it is none, and for an answer that is not legal. */
export async function actOf(file: string): Promise<Act> {
  let bot: Bot<unknown, string>
  try {
    bot = botOf((await importFresh(resolve(file), 'test')) as BotModule)
  } catch (error) {
    throw new UserError(`${file} is no module of a bot: ${messageOf(error)}`)
  }
  return (view, legal, text) => {
    const seed = chanceOf(() => below(2 ** 31, text))
    const action: unknown = bot(view, seed, legal as readonly string[])
    if (typeof action === 'string' && isLegal(legal, action)) return action
    throw new UserError(
      `${file} answers ${JSON.stringify(action) ?? 'nothing'}, which is not legal: it cannot play this game`,
    )
  }
}

export type TestedGame = ReturnType<typeof testGame>

/** The least milliseconds that a random game may work. */
const LEAST_MS = 10_000

/** Holds a game to its contract over random games and storms of faults, here, without a clock. `name`: its file's. */
export function testGame(definition: GameDefinition, name: string, wished: TestOptions) {
  tellSeeds()
  definition.program?.askTwice()
  // The game that is tested may not look at the clock.
  const clock = performance.now.bind(performance)
  const began = clock()
  const { games, steps: cap, ms, options, ...drawn } = wished
  const tested = options === undefined ? definition : withOptions(definition, options)
  // A busy machine says nothing of the game.
  const worked = (): number => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  const most = Math.max(LEAST_MS, ms / 2)
  let gameBegan = worked()
  // What grows takes ever longer to look at: an endless game would never come to its last step.
  const tooLong = (step: number): string | undefined => {
    const now = worked()
    if (step === 0) gameBegan = now
    return now - gameBegan > most ? `${counted(Math.ceil(most / 1000), 'second')} of work` : undefined
  }
  const goesOn = (played: number): boolean => played === 0 || clock() - began < ms
  const examined = withoutChance(() => examine(tested, { ...drawn, games, cap, goesOn, tooLong }))
  const seconds = (performance.now() - began) / 1000
  return {
    ...examined,
    ok: examined.findings.length === 0,
    game: definition.game.id,
    /** Steps a second, each with all that is looked at. */
    speed: Math.round(examined.steps / seconds),
    /** With the seed of the smallest game that shows it. */
    lines: examined.findings.map((finding) => lineOf(finding, name)),
    notes: notesOf(examined, games, definition.program !== undefined),
  }
}

const withOptions = (definition: GameDefinition, options: Options): GameDefinition => ({
  ...definition,
  game: Object.assign(Object.create(definition.game) as GameDefinition['game'], {
    options: { ...definition.game.options, ...options },
  }),
})

function lineOf({ what, of, step, moves }: Finding, name: string): Wording {
  if (of === undefined) return `${name}: ${what}`
  const where = step === 0 ? 'before the first step' : `after ${counted(step, 'step')}: ${moves}`
  return message`${name}: ${what} (${of.seats} seats, ${where}; ${option('seed', of.seed)})`
}

/** Standard errors beyond which seats are reported as unequal. */
const UNEQUAL = 4

function notesOf({ wins, fair, leaks, games }: Examination, wished: number, isProgram: boolean): string[] {
  const share = 1 / Math.max(1, wins.length)
  const even = wins.reduce((sum, n) => sum + n, 0) * share
  const unequal = wins.some((n) => Math.abs(n - even) > UNEQUAL * Math.sqrt(Math.max(1, even)))
  return [
    // A program says itself whether it hides something, and that is looked at.
    ...(leaks || isProgram ? [] : ['views were not searched for leaks: the game has no resample(state, seat, luck)']),
    ...(unequal && fair > 0
      ? [`seats are not equal at random play: they won ${wins.join(', ')} of ${fair} games; let the contest swap them`]
      : []),
    ...(games < wished ? [`${wished - games} more games were left out: the time was up, or they did not end`] : []),
  ]
}

/** For people; `spell`: how options are written. */
export function testGameText(
  { ok, lines, notes, games, steps, speed, longest, viewBytes, reasons, natural }: TestedGame,
  spell: Spell,
): string {
  const figure = (n: number): string => n.toLocaleString('en-US')
  const [ends, naturalEnds] = [reasons, natural].map((counts) => {
    return Object.entries(counts)
      .map(([reason, n]) => `${visible(reason)} ${figure(n)}`)
      .join(', ')
  })
  return [
    ...lines.map((line) => visible(spelled(line, spell))),
    `${figure(games)} random games, ${figure(steps)} steps, ${figure(speed)} steps a second; the longest had ${counted(longest, 'step')}, the largest view ${counted(viewBytes, 'byte')}`,
    ...(ends ? [`ends: ${ends}; without faults: ${naturalEnds || 'none'}`] : []),
    ...notes.map((note) => `note: ${visible(note)}`),
    ok ? 'It keeps the contract.' : `It does not keep the contract: ${counted(lines.length, 'mistake')}.`,
  ].join('\n')
}
