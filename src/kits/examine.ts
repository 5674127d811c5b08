import { type GameDefinition, type Options, VIEW_LENGTH, derive, lookUp, wiresOf, messageOf } from '../core/index.js'
import { type Act, CHECKS, type Case, ExaminedCase, type Finding, caseOf, jsonOf } from './cases.js'
import { examineGame } from './examine-game.js'
import { differenceOf } from './same.js'

export interface ExamineOptions {
  /** Of the first random game; those behind it follow from it. */
  readonly seed: string
  readonly games: number
  readonly cap: number
  /** Seats of each; absent: any number, the largest at least once. */
  readonly seats?: number
  /** Gives an action if asked, in games without faults; absent: a random one. */
  readonly act?: Act
  /** Options to be tried beside the defaults. */
  readonly options?: readonly Options[]
  /** Asked after each game: whether to go on. */
  goesOn?(games: number): boolean
  /** Asked after each step: how long the game may no longer go on ('30 seconds'); undefined: it may. */
  tooLong?(steps: number): string | undefined
}

export type Examination = ReturnType<typeof examine>

/** After so many endless games, or with too large views, no more are played: each takes long. */
const ENDLESS = 3

/** The n-th random game's seed; the first has the seed itself, so what a game shows is shown again by its own. */
const seedOf = (seed: string, n: number): string => (n === 0 ? seed : derive('game', seed, n).slice(0, 10))

/** Holds a game to its contract over random games and storms of faults. Never throws what the game throws. */
export function examine(definition: GameDefinition, wished: ExamineOptions) {
  const { game } = definition
  const findings: Finding[] = [...introduction(definition)]
  /** How often games ended for each reason; and those without faults. */
  const reasons: Record<string, number> = {}
  const natural: Record<string, number> = {}
  /** How many each seat of the fewest won alone, of so many games without faults. */
  const wins = Array<number>(game.seats.min).fill(0)
  let secrets = false
  let firstCase: Case | undefined
  let [games, steps, longest, viewBytes, fair, endless] = [0, 0, 0, 0, 0, 0]
  const choices = [game.options, ...(wished.options ?? [])]
  const nextCase = (): Case => {
    const made = (again = ''): Case =>
      caseOf(definition, `${seedOf(wished.seed, games)}${again}`, choices, wished.seats)
    let one = made()
    // The second has the largest field, by a seed that follows from its own.
    for (let i = 0; games === 1 && wished.seats === undefined && one.seats !== game.seats.max; i++) one = made(`-${i}`)
    return one
  }
  const isGoing = (): boolean => games < wished.games && endless < ENDLESS && (wished.goesOn?.(games) ?? true)
  // What introduces itself wrongly cannot be played.
  while (findings.every(({ check }) => check !== 'introduction') && isGoing()) {
    const of = nextCase()
    const examined = new ExaminedCase(definition, of)
    const played = examineGame(examined, wished)
    const { outcome } = played
    games++
    firstCase ??= of
    secrets ||= played.secrets === true
    steps += examined.moves.length
    longest = Math.max(longest, examined.moves.length)
    viewBytes = Math.max(viewBytes, played.viewBytes)
    findings.push(...examined.findings)
    if (outcome === undefined) {
      // One whose views are too large takes its time as well.
      const isLong = examined.moves.length >= wished.cap || played.viewBytes > VIEW_LENGTH
      endless += played.tookTooLong ? ENDLESS : Number(isLong)
      continue
    }
    reasons[outcome.reason] = (lookUp(reasons, outcome.reason) ?? 0) + 1
    if (of.faults > 0) continue
    natural[outcome.reason] = (lookUp(natural, outcome.reason) ?? 0) + 1
    if (of.seats !== game.seats.min) continue
    fair++
    const [first, other] = outcome.place.flatMap((place, seat) => (place === 1 ? [seat] : []))
    if (first !== undefined && other === undefined) wins[first] = (wins[first] ?? 0) + 1
  }
  const leaks = game.resample !== undefined
  if (definition.program?.hidden && !secrets && firstCase !== undefined && findings.length === 0)
    findings.push({ check: 'leaks', what: ALL_TOLD, of: firstCase, step: 0, moves: '' })
  return { games, steps, longest, viewBytes, reasons, natural, wins, fair, leaks, findings: smallest(findings) }
}

/** The smallest of the findings that say the same, seats and numbers aside. */
function smallest(findings: readonly Finding[]): Finding[] {
  const found = new Map<string, Finding>()
  for (const finding of findings) {
    const about = finding.what
      .replace(/(["'])(?:\\.|(?!\1).)*\1/g, 'text')
      .replace(/\d+/g, 'n')
      .replace(/\(at [^)]*\)/, '')
    const key = `${finding.check}: ${about}`
    const known = found.get(key)
    if (known === undefined || finding.step < known.step) found.set(key, finding)
  }
  return [...found.values()]
}

const ALL_TOLD =
  'it says that something is hidden, and every view tells all that the others tell: a view leaks, or hidden is to be false'

function introduction(definition: GameDefinition): Finding[] {
  const { game, title, summary, wire } = definition
  const found: string[] = []
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(game.id))
    found.push(`its id ${JSON.stringify(game.id)} is no word of small letters, digits and dashes`)
  if (!(Number.isInteger(game.version) && game.version > 0))
    found.push(`its version ${game.version} is no whole number from 1`)
  if (typeof title !== 'string' || title === '') found.push('it has no title')
  if (/\n/.test(summary)) found.push('its summary has more than one line')
  const values = Object.values(game.options).flat()
  if (!values.every((value) => ['number', 'string', 'boolean'].includes(typeof value)))
    found.push('its options hold something else than numbers, texts, booleans and lists of them')
  else if (differenceOf(jsonOf(game.options), game.options) !== undefined) found.push('its options do not survive JSON')
  try {
    const why = game.refuse?.(game.options, game.seats.min)
    if (why !== undefined) found.push(`it refuses its own options: ${why}`)
    const wires = wiresOf(definition, game.options)
    for (const [name, each] of Object.entries(wires)) {
      if (typeof each.summary !== 'string' || /\n/.test(each.summary))
        found.push(`the wire ${name} has no summary of one line`)
      if (each.ready && !((each.limits?.[each.ready.within] ?? 0) > 0))
        found.push(`the wire ${name} waits for readiness without a limit ${JSON.stringify(each.ready.within)}`)
    }
    if (wire !== undefined && !Object.hasOwn(wires, wire))
      found.push(`wire = ${JSON.stringify(wire)} is none of its wires`)
  } catch (error) {
    found.push(`refuse() threw: ${messageOf(error)}`)
  }
  return found.map((what) => ({ check: 'introduction', what, step: 0, moves: '' }))
}

/** What registers tests: vitest's functions, or a like-named runner's. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: (name: string, body: () => void) => unknown
}

/** What a game's own tests may set for the contract. */
export interface ContractHints {
  /** Random games; 100 unless set. Fewer where a game is slow. */
  readonly games?: number
  /** Steps after which a game is endless; absent: 20,000. */
  readonly steps?: number
  /** Options to be tried beside the defaults. */
  readonly options?: readonly Options[]
  /** Of the first random game; all others follow from it. */
  readonly seed?: string
}

/**
 * The contract of every game, as tests: `describeGame(definition, { describe, it })`. Names the smallest failing game.
 */
export function describeGame(
  definition: GameDefinition,
  { describe, it }: TestRunner,
  hints: ContractHints = {},
): void {
  let examined: Examination | undefined
  // The first test plays the games; all look at what was found.
  const findings = (): readonly Finding[] => {
    const { seed = 'contract', games = 100, steps = 20_000, options = [] } = hints
    examined ??= examine(definition, { seed, games, cap: steps, options })
    return examined.findings
  }
  describe(`the contract of ${definition.game.id}`, () => {
    for (const [check, what] of Object.entries(CHECKS)) {
      if (check === 'leaks' && definition.game.resample === undefined) continue
      it(what, () => {
        const found = findings().filter((finding) => finding.check === check)
        if (found.length > 0) throw new Error(found.map(shown).join('\n'))
      })
    }
  })
}

function shown({ what, of, step, moves }: Finding): string {
  if (of === undefined) return what
  const { seed, seats, options } = of
  return `${what} (seed ${JSON.stringify(seed)}, ${seats} seats, options ${JSON.stringify(options)}, after ${step} steps: ${moves})`
}
