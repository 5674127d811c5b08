import { UserError, message, option, type Outcome, command, didYouMean, canonical } from '../../core/index.js'
import type { Exclusion, Store, StoredRun } from '../../store/index.js'
import type { Context } from '../context.js'
import { type RunOptions, optionsOf } from '../run/options.js'
import { type RunRef, entrantNamed, standingsOfRun, withRun, type PlayedRunRef, gameOf } from '../stored.js'
import { formatOf } from '../../tournament/index.js'
import { rejudge } from '../../match/index.js'

export interface ChangedField {
  readonly name: string
  readonly finished: boolean
  /** What it takes to go on: the run's options and its results folder. */
  readonly options: RunOptions
  readonly out: string
}

/** Finds names whatever their case; `before`: how it is out. The process that plays the run sees it within a second. */
function changeField(
  { contest, run: id, ...wish }: RunRef & { readonly name: string },
  context: Context,
  change: (store: Store, run: StoredRun, name: string, before: Exclusion | undefined) => Promise<void>,
): Promise<ChangedField> {
  return withRun(contest, id, context, async (store, run) => {
    const name = run.entrants[entrantNamed(run, wish.name)]?.name ?? wish.name
    const before = (await store.exclusions(run.id)).find((one) => one.name === name)
    await change(store, run, name, before)
    const { finished } = await standingsOfRun(store, run)
    return { name, finished, options: optionsOf(run), out: run.out }
  })
}

/** Throws UserError if there is none, it is out already, or matches of more than two cannot be lost. */
export function excludeEntrant(ref: RunRef & Exclusion, context: Context): Promise<ChangedField> {
  const { status, treatment, why } = ref
  return changeField(ref, context, async (store, run, name, before) => {
    const { format, scoring } = run.contest
    if (before !== undefined) throw new UserError(`${name} is ${before.status} already`)
    if (treatment === 'lost' && formatOf(format.kind).sizes !== undefined)
      throw new UserError(
        message`${option('matches', 'lost')} needs matches of two: here several opponents would win a match that was not played`,
      )
    if (treatment === 'lost' && format.settle && scoring.by === 'score')
      throw new UserError(
        message`${option('matches', 'lost')}: a lost match has no score, and here places are settled by scores: use ${option('matches', 'void')}`,
      )
    await store.exclude(run.id, { name, status, treatment, why })
  })
}

/** Its matches count again, and the others are to be played. Throws UserError if there is none, or it is not out. */
export function readmitEntrant(
  ref: RunRef & { readonly name: string; readonly why: string },
  context: Context,
): Promise<ChangedField> {
  return changeField(ref, context, async (store, run, name, before) => {
    if (before === undefined) throw new UserError(`${name} is not out of the run: there is nothing to undo`)
    await store.readmit(run.id, name, ref.why)
  })
}

/**
 * Rules a match: another result counts in this run from now on, and the log says why; its record stays. `match`: its key. `result`: the winner's name,
 * 'draw', or by seat the places ('2,1'); if scores count, the scores ('3,0.5'). Throws UserError, also for a result that the match cannot have.
 */
export function ruleMatch(
  { contest, run: id, match: key, result, why }: RunRef & Readonly<Record<'match' | 'result' | 'why', string>>,
  context: Context,
): Promise<{ readonly before: Outcome; readonly after: Outcome }> {
  return withRun(contest, id, context, async (store, run) => {
    const matches = await store.matches(run.id)
    const match = matches.find((one) => one.key === key)
    if (match === undefined) {
      const keys = matches.map((one) => one.key)
      throw new UserError(
        message`${run.id} has no match ${key}${didYouMean(key, keys)}: ${command('show')} lists the matches of a bot`,
      )
    }
    const names = match.seats.map((entrant) => run.entrants[entrant]?.name ?? '')
    const score = run.contest.scoring.by === 'score' ? numbersOf(result, names) : undefined
    const place = score?.map((own) => 1 + score.filter((other) => other > own).length) ?? placesOf(result, names)
    const after = { place, score, reason: 'ruled', tally: match.outcome.tally }
    await store.rule(run.id, [{ match: match.id, outcome: after, why }])
    return { before: match.outcome, after }
  })
}

function placesOf(result: string, names: readonly string[]): readonly number[] {
  const winner = names.indexOf(result)
  if (result === 'draw') return names.map(() => 1)
  if (winner >= 0) return names.map((_, seat) => (seat === winner ? 1 : 2))
  const place = numbersOf(result, names)
  if (place.every((own) => own === 1 + place.filter((other) => other < own).length)) return place
  throw new UserError(`the places ${result} are no ranking: each is one more than the seats that did better`)
}

function numbersOf(result: string, names: readonly string[]): readonly number[] {
  const numbers = result.split(',').map((text) => (text.trim() === '' ? Number.NaN : Number(text)))
  if (numbers.length === names.length && numbers.every((one) => Number.isFinite(one))) return numbers
  throw new UserError(
    `${JSON.stringify(result)} is no result: give a number a seat, separated by commas, in the order ${names.join(', ')}; places are 1 for the best, and a name or draw does as well where scores do not count`,
  )
}

/** A match that counts otherwise than the rules judge it now, in the order of storage. */
export type RejudgeEvent =
  /** Its answers lead to no end now: it keeps its result. */
  | { readonly type: 'open'; readonly match: string; readonly why: string }
  | { readonly type: 'changed'; readonly match: string; readonly before: Outcome; readonly after: Outcome }

/**
 * Judges the stored answers of a run by the rules as they are now. `ruling`: why the results that change shall count
 * from now on; absent: nothing is written. Throws UserError, also without a match, and the signal's reason; then
 * nothing was written.
 */
export function rejudgeRun(
  { contest, run: id, gameFile, ruling }: PlayedRunRef & { readonly ruling?: string },
  context: Context,
  on: (news: RejudgeEvent) => void = () => undefined,
) {
  return withRun(contest, id, context, async (store, run) => {
    const definition = await gameOf(run, gameFile)
    const changed: { match: number; outcome: Outcome }[] = []
    let open = 0
    const matches = await store.matches(run.id)
    if (matches.length === 0) throw new UserError(`${run.id} has no matches yet`)
    for (const { id: match, key, outcome } of matches.toReversed()) {
      context.signal?.throwIfAborted()
      const judged = rejudge(definition, await store.recordOf(match))
      if ('open' in judged) {
        open++
        on({ type: 'open', match: key, why: judged.open })
      } else if (canonical(judged.outcome) !== canonical(outcome)) {
        changed.push({ match, outcome: judged.outcome })
        on({ type: 'changed', match: key, before: outcome, after: judged.outcome })
      }
    }
    const rulings = ruling === undefined ? [] : changed.map((one) => ({ ...one, why: ruling }))
    if (rulings.length > 0) await store.rule(run.id, rulings)
    return {
      game: { id: definition.game.id, version: definition.game.version },
      matches: matches.length,
      same: matches.length - changed.length - open,
      changed: changed.length,
      open,
      applied: rulings.length > 0,
    }
  })
}
