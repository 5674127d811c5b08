import { type Outcome, UserError, command, didYouMean, message } from '../../core/index.js'
import type { Context } from '../context.js'
import { type RunRef, withRun } from '../stored.js'

/** A single result that counts instead of the recorded one. */
export interface RuleRequest extends RunRef {
  /** The match's key, '1/Ant-Bee/3'. */
  readonly match: string
  /** An entrant's name (it wins), 'draw', or by seat the places ('2,1'); if scores count, the scores ('3,0.5'). */
  readonly result: string
  readonly why: string
}

/**
 * Rules a match: another result counts in this run from now on, and the log says why; its record stays as it is. Throws UserError where there is no
 * such run or match, and for a result that the match cannot have.
 */
export function ruleMatch(
  { contest, run: id, match: key, result, why }: RuleRequest,
  context: Context,
): Promise<{ readonly match: string; readonly before: Outcome; readonly after: Outcome }> {
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
    const isScored = run.contest.scoring.by === 'score'
    const after = isScored ? scored(match.outcome, result, names) : placed(match.outcome, result, names)
    await store.rule(run.id, [{ match: match.id, outcome: after, why }])
    return { match: key, before: match.outcome, after }
  })
}

const RULED = 'ruled'

function placed({ tally }: Outcome, result: string, names: readonly string[]): Outcome {
  const winner = names.indexOf(result)
  if (result === 'draw') return { place: names.map(() => 1), reason: RULED, tally }
  if (winner >= 0) return { place: names.map((_, seat) => (seat === winner ? 1 : 2)), reason: RULED, tally }
  const place = numbersOf(result, names)
  const isRanking = place.every((own) => own === 1 + place.filter((other) => other < own).length)
  if (isRanking) return { place, reason: RULED, tally }
  throw new UserError(`the places ${result} are no ranking: each is one more than the seats that did better`)
}

function scored({ tally }: Outcome, result: string, names: readonly string[]): Outcome {
  const score = numbersOf(result, names)
  const place = score.map((own) => 1 + score.filter((other) => other > own).length)
  return { place, score, reason: RULED, tally }
}

function numbersOf(result: string, names: readonly string[]): readonly number[] {
  const numbers = result.split(',').map((text) => (text.trim() === '' ? Number.NaN : Number(text)))
  if (numbers.length === names.length && numbers.every((one) => Number.isFinite(one))) return numbers
  throw new UserError(
    `${JSON.stringify(result)} is no result: give a number a seat, separated by commas, in the order ${names.join(', ')}; places are 1 for the best, and a name or draw does as well where scores do not count`,
  )
}
