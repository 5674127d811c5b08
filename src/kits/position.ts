import {
  type GameDefinition,
  type Outcome,
  LEGAL_ACTIONS,
  OutcomeError,
  STATE_LENGTH,
  type Seat,
  VIEW_LENGTH,
  newLuck,
  outcomeOf,
  messageOf,
  GameMistake,
  mistakeIn,
  shownSeats,
} from '../core/index.js'
import { type Case, type Check, everyone, deepFreeze } from './cases.js'
import { differenceAsSent, differenceOf, lossOf, same } from './same.js'

/** Takes down what is not kept. */
export type ReportFinding = (check: Check, what: string) => void

/** Views of a position that are drawn anew, for each seat. */
const RESAMPLES = 3

/** Calls a part of the game. What it throws is reported once, and undefined returned. */
export function called<T>(report: ReportFinding, part: string, call: () => T): T | undefined {
  try {
    return call()
  } catch (error) {
    if (error instanceof GameMistake && error.bare !== undefined) {
      report('throws', error.bare)
      return undefined
    }
    const why = messageOf(error)
    if (error instanceof OutcomeError) report('outcome', `outcome() ends wrongly: ${why}`)
    else if (/read.only property|not extensible|Cannot (delete|define|assign)/.test(why))
      report('pure', `${part} writes into what it is given: ${bare(why)}`)
    else report('throws', `${part} threw: ${bare(why)}`)
    return undefined
  }
}

/** The same of a part that has to give something. */
export function given<T>(report: ReportFinding, part: string, call: () => T, what: string): T | undefined {
  const result = called(report, part, () => ({ value: call() }))
  if (result === undefined) return undefined
  const { value } = result
  if (value instanceof Promise) {
    value.catch(() => undefined)
    report('data', `${part} gives a promise, and has to give ${what} at once`)
    return undefined
  }
  if (value === undefined) report('data', `${part} gives nothing, and has to give ${what}`)
  return value
}

/** Without the file and the part that a loaded game puts before what it throws. */
const bare = (why: string): string => why.replace(/^.*?(:\d+)?: \w+\(\) threw (\w+: )?/, '')

export interface ExaminedPosition {
  readonly due: readonly Seat[]
  readonly outcome: Outcome | undefined
  /** Bytes of the largest view as JSON. */
  readonly viewBytes: number
}

/** Holds one position to all that it must keep; `thorough`: also to what takes long. Undefined: the game cannot go on from here. */
export function examinePosition(
  definition: GameDefinition,
  state: unknown,
  { seats, seed }: Case,
  step: number,
  thorough: boolean,
  report: ReportFinding,
): ExaminedPosition | undefined {
  const { game } = definition
  const owing = called(report, 'toMove()', () => ({ due: game.toMove(state) }))
  const ending = called(report, 'outcome()', () => ({ outcome: outcomeOf(definition, state, seats) }))
  if (owing === undefined || ending === undefined || !isDue(owing.due, seats, report)) return undefined
  const [{ due }, { outcome }] = [owing, ending]
  if (differenceOf(game.toMove(state), due) !== undefined)
    report('pure', 'toMove() differs when it is asked twice of the same state')
  const unlike = differenceOf(outcomeOf(definition, state, seats), outcome)
  if (unlike !== undefined) report('pure', `outcome() differs${at(unlike)} when it is asked twice of the same state`)
  if (due.length === 0 && outcome === undefined) report('turns', 'toMove() is empty, and there is no outcome')
  if (due.length > 0 && outcome !== undefined)
    report('turns', `there is an outcome although ${seatsText(due)} owe a move: toMove() has to be empty then`)
  if ((due.length === 0) !== (outcome !== undefined)) return undefined
  let viewBytes = 0
  for (const seat of everyone(seats)) {
    const view = given(report, 'view()', () => deepFreeze(game.view(state, seat)), `what seat ${seat} may know`)
    if (view === undefined) return undefined
    if (due.includes(seat) && !isLegal(definition, view, seat, thorough, report)) return undefined
    if (!thorough) continue
    viewBytes = Math.max(viewBytes, examineView(definition, state, seat, view, report))
    // Each look at one that is too large takes long, and says no more.
    if (viewBytes > VIEW_LENGTH) break
    examineLeaks(definition, state, seat, view, `${seed}/${step}`, report)
  }
  if (thorough) examineTexts(definition, state, seats, report)
  return { due, outcome, viewBytes }
}

function isDue(due: unknown, seats: number, report: ReportFinding): due is readonly Seat[] {
  if (!Array.isArray(due)) report('turns', `toMove() gives ${inWords(due)}, and has to give a list of seats`)
  else {
    const stranger: unknown = due.find((seat) => !Number.isInteger(seat) || seat < 0 || seat >= seats)
    if (stranger !== undefined)
      report('turns', `toMove() names seat ${inWords(stranger)}, and the seats are 0 to ${seats - 1}`)
    else if (new Set(due).size !== due.length) report('turns', `toMove() names a seat twice: ${due.join(', ')}`)
    else return true
  }
  return false
}

function isLegal(
  { game }: GameDefinition,
  view: unknown,
  seat: Seat,
  thorough: boolean,
  report: ReportFinding,
): boolean {
  const known = called(report, 'legal()', () => ({ legal: game.legal(view) as unknown }))
  if (known === undefined) return false
  const { legal } = known
  const mistake = Array.isArray(legal) ? listMistake(legal, seat, thorough) : shapeMistake(legal)
  if (mistake !== undefined) report('legal', `legal() ${mistake}`)
  else if (thorough && !same(game.legal(view), legal))
    report('pure', 'legal() differs when it is asked twice of the same view')
  else return true
  return false
}

/** What is wrong with what describes the legal actions. */
function shapeMistake(legal: unknown): string | undefined {
  const mistake = mistakeIn(legal)
  return mistake === undefined ? undefined : `gives ${mistake}`
}

/** What is wrong with a list of legal actions. */
function listMistake(legal: readonly unknown[], seat: Seat, thorough: boolean): string | undefined {
  if (legal.length === 0) return `is empty for seat ${seat}, which owes a move`
  if (legal.length > LEGAL_ACTIONS)
    return `gives seat ${seat} ${legal.length} actions, and may give ${LEGAL_ACTIONS}: cut what is decided at once into several moves`
  const odd = legal.findIndex((action) => typeof action !== 'string' || action === '')
  if (odd !== -1) return `gives ${inWords(legal[odd])}, and an action is a text that is not empty`
  const split = legal.find((action) => /[\x00-\x1f\x7f]/.test(String(action)))
  if (split !== undefined)
    return `gives ${inWords(split)}, and an action is a text of one line, without control characters`
  if (legal.some((action) => /^\s*$/.test(String(action))))
    return 'gives an action of blanks alone, which a bot cannot be seen to say'
  return thorough && new Set(legal).size < legal.length ? `lists an action twice for seat ${seat}` : undefined
}

/** Returns the bytes of the view as JSON. */
function examineView(
  { game }: GameDefinition,
  state: unknown,
  seat: Seat,
  view: unknown,
  report: ReportFinding,
): number {
  const tried = triedJson(view)
  const json = tried.json
  const length = json?.length ?? 0
  if (length > VIEW_LENGTH) {
    report(
      'data',
      `view() of seat ${seat} is ${length} characters as JSON, and may be ${VIEW_LENGTH}: give a seat less to read`,
    )
    return length
  }
  const lost = tried.why ?? lossOf(view, json)
  if (lost !== undefined) report('data', `view() of seat ${seat} does not survive JSON${lossText(lost)}`)
  // What cannot be JSON may hold itself, and is not compared.
  const again = json === undefined ? undefined : differenceAsSent(game.view(state, seat), view)
  if (again !== undefined) report('pure', `view() differs${at(again)} when it is asked twice for seat ${seat}`)
  return length
}

/** What a seat cannot know, dealt anew, changes nothing that it sees. */
function examineLeaks(
  { game }: GameDefinition,
  state: unknown,
  seat: Seat,
  view: unknown,
  seed: string,
  report: ReportFinding,
): void {
  if (game.resample === undefined) return
  for (let n = 0; n < RESAMPLES; n++) {
    const other = called(report, 'resample()', () =>
      game.resample?.(state, seat, newLuck(`${seed}/${seat}/resample ${n}`)),
    )
    if (other === undefined) return
    const seen = called(report, 'view()', () => game.view(other, seat))
    const leak = seen === undefined ? undefined : differenceAsSent(seen, view)
    if (leak === undefined) continue
    report(
      'leaks',
      `view() leaks to seat ${seat} what is hidden from it: ${leak === '' ? 'the whole' : leak} depends on it`,
    )
    return
  }
}

function examineTexts(definition: GameDefinition, state: unknown, seats: number, report: ReportFinding): void {
  const { game } = definition
  const shown = (part: string, call: () => unknown): void => {
    const text = called(report, part, call)
    if (text === undefined) return
    if (typeof text !== 'string') report('text', `${part} gives ${inWords(text)}, and has to give a text`)
    else if (/[\x00-\x09\x0b-\x1f\x7f-\x9f]/.test(text)) report('text', `${part} gives control characters`)
  }
  const names = shownSeats(everyone(seats).map((seat) => `Bot ${seat}`))
  if (definition.board) shown('board()', () => definition.board?.(state, names))
  if (definition.viewer) shown('viewer()', () => definition.viewer?.(state, names))
  for (const seat of everyone(seats)) {
    if (definition.text) shown('text()', () => definition.text?.(game.view(state, seat), seat))
    if (definition.figures) shown('figures()', () => definition.figures?.(state, seat))
    if (definition.question) shown('question()', () => definition.question?.(game.view(state, seat)))
  }
}

/** Whether a state comes back from JSON as it went. False: it is too large to go on from. */
export function examineState(state: unknown, report: ReportFinding): boolean {
  const { json, why } = triedJson(state)
  const length = json?.length ?? 0
  if (length > STATE_LENGTH) {
    report('data', `a state is ${length} characters as JSON, and may be ${STATE_LENGTH}: keep less in it`)
    return false
  }
  const lost = why ?? lossOf(state, json)
  if (lost !== undefined) report('data', `a state does not survive JSON${lossText(lost)}`)
  return true
}

/** ': Do not know how to serialize a BigInt', ' (at .hands[1], which is undefined)'; '' for the whole. */
const lossText = (lost: string): string => (lost === '' || lost.startsWith(': ') ? lost : ` (at ${lost})`)

/** A value as JSON, or why it cannot be: ': Do not know how to serialize a BigInt'. */
function triedJson(value: unknown): { readonly json: string | undefined; readonly why?: string } {
  try {
    return { json: JSON.stringify(value) }
  } catch (error) {
    return { json: undefined, why: `: ${messageOf(error).split('\n', 1)[0]}` }
  }
}

export const at = (difference: string): string => (difference === '' ? '' : ` (at ${difference})`)

function inWords(value: unknown): string {
  return value === undefined
    ? 'nothing'
    : typeof value === 'number'
      ? String(value)
      : (JSON.stringify(value) ?? typeof value)
}

const seatsText = (due: readonly Seat[]): string => `seat${due.length > 1 ? 's' : ''} ${due.join(' and ')}`
