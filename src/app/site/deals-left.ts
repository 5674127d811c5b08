import type { Round } from '../../core/index.js'

/** A deal of which some matches are over and others are to come. */
interface BrokenDeal {
  left: number
  /** Keys of those that are over. */
  readonly over: string[]
}

/** Which deals of a round have matches to come: kept while the round is played, so that nothing has to be read for the answer. */
export class DealsLeft {
  /** By company and deal: how many matches are to come. */
  private readonly left = new Map<string, Map<number, number | BrokenDeal>>()
  /** Keys of the matches that are over while others of their deal are to come. */
  private readonly broken = new Set<string>()

  /** `isOver`: whether the match of that key counts already. */
  constructor({ series }: Round, isOver: (key: string) => boolean) {
    const over: (readonly [key: string, seats: readonly number[], deal: number])[] = []
    for (const { pairings } of series)
      for (const { key, seats, deal } of pairings) {
        if (isOver(key)) over.push([key, seats, deal])
        else this.expect(companyOf(seats), deal)
      }
    for (const [key, seats, deal] of over) this.keep(key, companyOf(seats), deal, 0)
  }

  /** A match of the round is over. Call it once for each. */
  played(key: string, seats: readonly number[], deal: number): void {
    this.keep(key, companyOf(seats), deal, 1)
  }

  /** Whether others are still to be dealt the luck of a match that is over. */
  isOpen(key: string): boolean {
    return this.broken.has(key)
  }

  private expect(company: string, deal: number): void {
    const deals = this.left.get(company) ?? new Map<number, number | BrokenDeal>()
    this.left.set(company, deals)
    deals.set(deal, leftOf(deals.get(deal)) + 1)
  }

  private keep(key: string, company: string, deal: number, played: number): void {
    const deals = this.left.get(company)
    const known = deals?.get(deal)
    if (deals === undefined || known === undefined) return
    const left = leftOf(known) - played
    const broken = typeof known === 'number' ? { left, over: [] } : known
    broken.left = left
    broken.over.push(key)
    if (left > 0) {
      deals.set(deal, broken)
      this.broken.add(key)
      return
    }
    deals.delete(deal)
    for (const one of broken.over) this.broken.delete(one)
  }
}

const leftOf = (known: number | BrokenDeal = 0): number => (typeof known === 'number' ? known : known.left)

const companyOf = (seats: readonly number[]): string =>
  seats.length === 2 ? pairOf(seats) : [...seats].sort((a, b) => a - b).join()

/** The same of two, who are most of all, without a sort. */
const pairOf = ([a = 0, b = 0]: readonly number[]): string => (a < b ? `${a},${b}` : `${b},${a}`)
