import type { RatedGame } from './game.js'

/** What makes an entrant's rating rest on the prior. */
export type Flag = 'unbeaten' | 'winless' | 'unconnected'

interface Course {
  won: number
  drawn: number
  lost: number
  readonly met: Set<number>
}

/**
 * By entrant: 'unbeaten': won every game; 'winless': lost every game; 'unconnected': no chain of games leads to the largest group. Games
 * alone would give none of these a finite rating.
 */
export function flagsOf(games: readonly RatedGame[], field: number): readonly (readonly Flag[])[] {
  const courses = Array.from({ length: field }, (): Course => ({ won: 0, drawn: 0, lost: 0, met: new Set() }))
  for (const { entrants, place, team } of games) {
    entrants.forEach((entrant, s) => {
      const course = courses[entrant] as Course
      entrants.forEach((other, t) => {
        if (s === t || (team !== undefined && team[s] === team[t])) return
        const lead = (place[t] as number) - (place[s] as number)
        if (lead > 0) course.won++
        else if (lead < 0) course.lost++
        else course.drawn++
        course.met.add(other)
      })
    })
  }
  const group = groupsOf(courses)
  const sizes = new Map<number, number>()
  for (const g of group) sizes.set(g, (sizes.get(g) ?? 0) + 1)
  const largest = Math.max(0, ...sizes.values())
  // Of two groups of one size, neither is the field that the other is not connected to.
  const main = [...sizes].filter(([, size]) => size === largest)
  return courses.map(({ won, drawn, lost }, i) => [
    ...(won > 0 && drawn + lost === 0 ? ['unbeaten' as const] : []),
    ...(lost > 0 && won + drawn === 0 ? ['winless' as const] : []),
    ...(main.length > 1 || main[0]?.[0] !== group[i] ? ['unconnected' as const] : []),
  ])
}

/** By entrant: the smallest entrant to which a chain of games leads. */
function groupsOf(courses: readonly Course[]): readonly number[] {
  const group = courses.map(() => -1)
  for (let start = 0; start < courses.length; start++) {
    if (group[start] !== -1) continue
    group[start] = start
    const open = [start]
    for (let i = open.pop(); i !== undefined; i = open.pop()) {
      for (const j of courses[i]?.met ?? []) {
        if (group[j] !== -1) continue
        group[j] = start
        open.push(j)
      }
    }
  }
  return group
}
