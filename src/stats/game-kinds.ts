import type { Teams } from '../core/index.js'
import type { RatedGame } from './game.js'

/** A match as added. Entrants by their index in the field. */
export interface AddedGame {
  readonly seats: readonly number[]
  /** In the order of `seats`; 1 is best, equals share. */
  readonly place: readonly number[]
  /** A digest of its course: the same in the same seats is the same game again. */
  readonly course: number
  /** A digest of its luck. */
  readonly luck: number
}

interface Seating {
  readonly entrants: readonly number[]
  readonly company: Company
  readonly courses: number[]
  /** By the places' text: their number in the company. */
  readonly contents: Map<string, number>
}

/** Entrants who met, and each match's outcome and luck. */
interface Company {
  readonly members: readonly number[]
  readonly contents: { readonly seating: Seating; readonly place: readonly number[] }[]
  readonly of: number[]
  readonly luck: number[]
}

/**
 * Games as `gamesOf` has them, one standing for all alike in blocks alike: a million games of thirty are some thousand.
 * Three numbers are held of each game added.
 */
export class GameKinds {
  private readonly seatings = new Map<string, Seating>()
  private readonly companies = new Map<string, Company>()
  count = 0

  /** `teams`: of the contest's scoring. */
  constructor(private readonly teams?: Teams) {}

  add({ seats, place, course, luck }: AddedGame): void {
    const seating = this.seatingOf(seats)
    const { company } = seating
    company.of.push(contentOf(seating, place))
    company.luck.push(luck)
    seating.courses.push(course)
    this.count++
  }

  /** How many games were no repetition of another one. */
  distinct(): number {
    let sum = 0
    for (const { courses } of this.seatings.values()) sum += differing(courses)
    return sum
  }

  /** Who played the same game, with the same places, in every match of a seating, more than once in each. */
  repeating(): readonly (readonly number[])[] {
    const others = new Set<Company>()
    for (const { company, courses, contents } of this.seatings.values())
      if (courses.length < 2 || contents.size > 1 || differing(courses) > 1) others.add(company)
    return [...this.companies.values()].filter((company) => !others.has(company)).map(({ members }) => members)
  }

  /** What was added, by companies and kinds in an order independent of that of games. */
  games(): readonly RatedGame[] {
    const weights = new Map<Seating, number>()
    for (const seating of this.seatings.values()) {
      const { length } = seating.courses
      if (length > 1 && differing(seating.courses) === 1) weights.set(seating, 1 / length)
    }
    return [...this.companies]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([key, one]) =>
        kindsOf(key, one, weights).map((game) => ({ ...game, team: this.teams?.[game.entrants.length] })),
      )
  }

  private seatingOf(seats: readonly number[]): Seating {
    const key = seats.join()
    const known = this.seatings.get(key)
    if (known !== undefined) return known
    const members = [...seats].sort((a, b) => a - b)
    const group = members.join('-')
    const company: Company = this.companies.get(group) ?? { members, contents: [], of: [], luck: [] }
    this.companies.set(group, company)
    const seating: Seating = { entrants: seats, company, courses: [], contents: new Map() }
    this.seatings.set(key, seating)
    return seating
  }
}

function contentOf(seating: Seating, place: readonly number[]): number {
  const { contents, company } = seating
  const text = place.join()
  const known = contents.get(text) ?? company.contents.length
  if (known === company.contents.length) company.contents.push({ seating, place })
  contents.set(text, known)
  return known
}

function differing(numbers: readonly number[]): number {
  const sorted = Float64Array.from(numbers).sort()
  let count = 0
  for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) count++
  return count
}

function kindsOf(key: string, company: Company, weights: ReadonlyMap<Seating, number>): RatedGame[] {
  const { contents } = company
  const names = contents.map(({ seating, place }) => `${seating.entrants.join()}:${place.join()}`)
  const order = names
    .map((_, content) => content)
    .sort((a, b) => ((names[a] as string) < (names[b] as string) ? -1 : 1))
  // Numbered in an order independent of arrival.
  const rank = new Map(order.map((content, i) => [content, i]))
  const kinds = new Map<string, { readonly list: readonly number[]; times: number }>()
  for (const block of blocksOf(company)) {
    const list = block.map((content) => rank.get(content) as number).sort((a, b) => a - b)
    const text = list.join()
    const kind = kinds.get(text)
    if (kind === undefined) kinds.set(text, { list, times: 1 })
    else kind.times++
  }
  return [...kinds]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([text, { list, times }]) =>
      list.map((at): RatedGame => {
        const { seating, place } = contents[order[at] as number] as Company['contents'][number]
        const weight = weights.get(seating)
        const block = `${key}/${text}`
        return { entrants: seating.entrants, place, block, times, weight }
      }),
    )
}

/** A company's matches' contents, those of equal luck together. */
function* blocksOf({ of, luck }: Company): Generator<readonly number[]> {
  const order = Uint32Array.from(of, (_, i) => i).sort((a, b) => (luck[a] as number) - (luck[b] as number))
  let block: number[] = []
  for (let i = 0; i < order.length; i++) {
    const at = order[i] as number
    if (i > 0 && luck[at] !== luck[order[i - 1] as number]) {
      yield block
      block = []
    }
    block.push(of[at] as number)
  }
  if (block.length > 0) yield block
}
