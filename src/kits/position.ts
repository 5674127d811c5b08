import {
  LEGAL_ACTIONS,
  STATE_LENGTH,
  type Seat,
  VIEW_LENGTH,
  messageOf,
  mistakeIn,
  newLuck,
  outcomeOf,
  shownSeats,
} from '../core/index.js'
import { type ExaminedCase, deepFreeze } from './cases.js'
import { differenceAsSent, differenceOf, lossOf } from './same.js'

/** Views of a position that are drawn anew, for each seat. */
const RESAMPLES = 3

/** Holds a position to the contract; `thorough`: also what takes long. Undefined: the game cannot go on from here. */
export function examinePosition(examined: ExaminedCase, state: unknown, thorough: boolean) {
  const { definition, of, seats } = examined
  const { game } = definition
  const owing = examined.called('toMove()', () => ({ due: game.toMove(state) }))
  const ending = examined.called('outcome()', () => ({ outcome: outcomeOf(definition, state, of.seats) }))
  if (owing === undefined || ending === undefined) return undefined
  const [{ due }, { outcome }] = [owing, ending]
  const strange = dueMistake(due, of.seats)
  if (strange !== undefined) {
    examined.report('turns', `toMove() ${strange}`)
    return undefined
  }
  if (differenceOf(game.toMove(state), due) !== undefined)
    examined.report('pure', 'toMove() differs when it is asked twice of the same state')
  const unlike = differenceOf(outcomeOf(definition, state, of.seats), outcome)
  if (unlike !== undefined)
    examined.report('pure', `outcome() differs${at(unlike)} when it is asked twice of the same state`)
  if (due.length === 0 && outcome === undefined) examined.report('turns', 'toMove() is empty, and there is no outcome')
  if (due.length > 0 && outcome !== undefined)
    examined.report(
      'turns',
      `there is an outcome although seat${due.length > 1 ? 's' : ''} ${due.join(' and ')} owe a move: toMove() has to be empty then`,
    )
  if ((due.length === 0) !== (outcome !== undefined)) return undefined
  let viewBytes = 0
  for (const seat of seats) {
    const view = examined.given('view()', () => deepFreeze(game.view(state, seat)), `what seat ${seat} may know`)
    if (view === undefined) return undefined
    if (due.includes(seat) && !examineLegal(examined, view, seat, thorough)) return undefined
    if (!thorough) continue
    viewBytes = Math.max(viewBytes, examineView(examined, state, seat, view))
    // Each look at a too large one takes long, and says no more.
    if (viewBytes > VIEW_LENGTH) break
    examineLeaks(examined, state, seat, view)
  }
  if (thorough) examineTexts(examined, state)
  return { due, outcome, viewBytes }
}

function dueMistake(due: unknown, seats: number): string | undefined {
  if (!Array.isArray(due)) return `gives ${inWords(due)}, and has to give a list of seats`
  const stranger: unknown = due.find((seat) => !Number.isInteger(seat) || seat < 0 || seat >= seats)
  if (stranger !== undefined) return `names seat ${inWords(stranger)}, and the seats are 0 to ${seats - 1}`
  return new Set(due).size === due.length ? undefined : `names a seat twice: ${due.join(', ')}`
}

function examineLegal(examined: ExaminedCase, view: unknown, seat: Seat, thorough: boolean): boolean {
  const { game } = examined.definition
  const known = examined.called('legal()', () => ({ legal: game.legal(view) as unknown }))
  if (known === undefined) return false
  const { legal } = known
  const mistake = Array.isArray(legal) ? listMistake(legal, seat, thorough) : mistakeIn(legal)
  if (mistake !== undefined) examined.report('legal', `legal() ${Array.isArray(legal) ? '' : 'gives '}${mistake}`)
  else if (thorough && differenceOf(game.legal(view), legal) !== undefined)
    examined.report('pure', 'legal() differs when it is asked twice of the same view')
  else return true
  return false
}

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
function examineView(examined: ExaminedCase, state: unknown, seat: Seat, view: unknown): number {
  const { json, why } = triedJson(view)
  const length = json?.length ?? 0
  if (length > VIEW_LENGTH) {
    examined.report(
      'data',
      `view() of seat ${seat} is ${length} characters as JSON, and may be ${VIEW_LENGTH}: give a seat less to read`,
    )
    return length
  }
  const lost = why ?? lossOf(view, json)
  if (lost !== undefined) examined.report('data', `view() of seat ${seat} does not survive JSON${lossText(lost)}`)
  // What cannot be JSON may hold itself, and is not compared.
  const again = json === undefined ? undefined : differenceAsSent(examined.definition.game.view(state, seat), view)
  if (again !== undefined) examined.report('pure', `view() differs${at(again)} when it is asked twice for seat ${seat}`)
  return length
}

/** What a seat cannot know, dealt anew, changes nothing it sees. */
function examineLeaks(examined: ExaminedCase, state: unknown, seat: Seat, view: unknown): void {
  const { game } = examined.definition
  if (game.resample === undefined) return
  const seed = `${examined.of.seed}/${examined.moves.length}/${seat}`
  for (let n = 0; n < RESAMPLES; n++) {
    const other = examined.called('resample()', () => game.resample?.(state, seat, newLuck(`${seed}/resample ${n}`)))
    if (other === undefined) return
    const seen = examined.called('view()', () => game.view(other, seat))
    const leak = seen === undefined ? undefined : differenceAsSent(seen, view)
    if (leak === undefined) continue
    examined.report(
      'leaks',
      `view() leaks to seat ${seat} what is hidden from it: ${leak === '' ? 'the whole' : leak} depends on it`,
    )
    return
  }
}

function examineTexts(examined: ExaminedCase, state: unknown): void {
  const { definition, seats } = examined
  const { game } = definition
  const names = shownSeats(seats.map((seat) => `Bot ${seat}`))
  const shown = (part: 'board' | 'viewer' | 'text' | 'figures' | 'question', call: () => unknown): void => {
    if (definition[part] === undefined) return
    const text = examined.called(`${part}()`, call)
    if (text === undefined) return
    if (typeof text !== 'string') examined.report('text', `${part}() gives ${inWords(text)}, and has to give a text`)
    else if (/[\x00-\x09\x0b-\x1f\x7f-\x9f]/.test(text)) examined.report('text', `${part}() gives control characters`)
  }
  shown('board', () => definition.board?.(state, names))
  shown('viewer', () => definition.viewer?.(state, names))
  for (const seat of seats) {
    shown('text', () => definition.text?.(game.view(state, seat), seat))
    shown('figures', () => definition.figures?.(state, seat))
    shown('question', () => definition.question?.(game.view(state, seat)))
  }
}

/** Whether a state survives JSON. False: too large to go on from. */
export function examineState(examined: ExaminedCase, state: unknown): boolean {
  const { json, why } = triedJson(state)
  const length = json?.length ?? 0
  if (length > STATE_LENGTH) {
    examined.report('data', `a state is ${length} characters as JSON, and may be ${STATE_LENGTH}: keep less in it`)
    return false
  }
  const lost = why ?? lossOf(state, json)
  if (lost !== undefined) examined.report('data', `a state does not survive JSON${lossText(lost)}`)
  return true
}

/** ': Do not know how to serialize a BigInt', ' (at .hands[1], which is undefined)'; '' for the whole. */
const lossText = (lost: string): string => (lost === '' || lost.startsWith(': ') ? lost : ` (at ${lost})`)

/** A value as JSON, or why not: ': Do not know how to serialize a BigInt'. */
export function triedJson(value: unknown): { readonly json?: string; readonly why?: string } {
  try {
    return { json: JSON.stringify(value) }
  } catch (error) {
    return { why: `: ${messageOf(error).split('\n', 1)[0]}` }
  }
}

export const at = (difference: string): string => (difference === '' ? '' : ` (at ${difference})`)

const inWords = (value: unknown): string =>
  value === undefined ? 'nothing' : typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? typeof value)
