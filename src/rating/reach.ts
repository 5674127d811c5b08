import type { Meetings } from './meetings.js'

/** Which of a field's strengths the games bound at all. */
export interface StrengthBounds {
  /**
   * Whom the others are compared with: the largest group in which each has scored against each, by some chain of games; all, where there
   * is no such group.
   */
  readonly core: readonly number[]
  /** By entrant: whether games bound how far it is above the core's average, and how far below it. */
  readonly above: readonly boolean[]
  readonly below: readonly boolean[]
}

/**
 * Ford (1957): strengths have a maximum of the likelihood where each entrant has scored, by some chain of games, against each other one. Of
 * two, the distance is bounded on the side of the one that has scored against the other so.
 */
export function boundsOf(meetings: Meetings): StrengthBounds {
  const { field } = meetings
  const over = Array.from({ length: field }, (): number[] => [])
  const under = Array.from({ length: field }, (): number[] => [])
  for (let i = 0; i < field; i++) {
    for (let j = 0; j < field; j++) {
      if ((meetings.wins[i * field + j] as number) + (meetings.draws[i * field + j] as number) === 0) continue
      over[i]?.push(j)
      under[j]?.push(i)
    }
  }
  const core = coreOf(over, under)
  const [one] = core
  if (core.length > 1 && one !== undefined) {
    const [below, above] = [reachedFrom(one, over), reachedFrom(one, under)]
    // The core has scored against each entrant that a chain leads to from it.
    return { core, above: below, below: above }
  }
  const all = over.map((_, i) => i)
  return {
    core: all,
    above: all.map((i) => !reachedFrom(i, under).includes(false)),
    below: all.map((i) => !reachedFrom(i, over).includes(false)),
  }
}

/** The largest group of which each can reach each; the first of several. */
function coreOf(over: readonly (readonly number[])[], under: readonly (readonly number[])[]): readonly number[] {
  let core: readonly number[] = []
  const seen = over.map(() => false)
  for (let i = 0; i < over.length; i++) {
    if (seen[i]) continue
    const [out, back] = [reachedFrom(i, over), reachedFrom(i, under)]
    const group = out.flatMap((to, j) => (to && back[j] ? [j] : []))
    for (const j of group) seen[j] = true
    if (group.length > core.length) core = group
  }
  return core
}

/** By entrant: whether a chain leads to it, itself included. */
function reachedFrom(start: number, to: readonly (readonly number[])[]): boolean[] {
  const reached = to.map(() => false)
  reached[start] = true
  const open = [start]
  for (let i = open.pop(); i !== undefined; i = open.pop()) {
    for (const j of to[i] ?? []) {
      if (reached[j]) continue
      reached[j] = true
      open.push(j)
    }
  }
  return reached
}
