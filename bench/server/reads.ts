import { setTimeout as wait } from 'node:timers/promises'
import { ask } from './ask.js'

/** Mixed reads of a site, as visitors make them. */
export class Reads {
  private readonly tags = new Map<string, string>()
  private readonly records = new Map<string, readonly number[]>()
  private readonly cursors = new Map<string, string>()
  /** Milliseconds that reads took, by what was read, of the last `run`. */
  readonly tookBy = new Map<string, number[]>()
  private n = 0

  constructor(
    private readonly api: string,
    private readonly contests: readonly string[],
  ) {}

  /** Asks once for each table, one after the other: the first look at a finished run takes longest. */
  async warm(): Promise<void> {
    for (const contest of this.contests) {
      const bots = contest === this.contests[0] ? Array.from({ length: 28 }, (_, n) => `Bot${n}`) : ['Abacus']
      for (const path of ['standings', 'report', ...bots.map((name) => `entrants/${name}`)])
        await this.get(`/contests/${contest}/${path}`)
    }
  }

  /** Asks so many times a second, whether the answers before have come or not; returns milliseconds from when each was due. */
  async run(perSecond: number, seconds: number): Promise<number[]> {
    const took: number[] = []
    this.tookBy.clear()
    const under: Promise<void>[] = []
    const failures: unknown[] = []
    const began = performance.now()
    for (let i = 0; i < perSecond * seconds; i++) {
      const due = began + (1000 * i) / perSecond
      const early = due - performance.now()
      if (early > 1) await wait(early)
      under.push(
        this.one(this.n++).then(
          (kind) => {
            const ms = performance.now() - due
            took.push(ms)
            this.tookBy.set(kind, [...(this.tookBy.get(kind) ?? []), ms])
          },
          (error: unknown) => void failures.push(error),
        ),
      )
    }
    await Promise.all(under)
    if (failures.length > 0) throw failures[0]
    return took
  }

  /** Resolves with what was read. */
  private async one(n: number): Promise<string> {
    const contest = this.contests[n % this.contests.length] ?? ''
    const of = `/contests/${contest}`
    const kinds: readonly (readonly [kind: string, read: () => Promise<unknown>])[] = [
      ['standings', () => this.get(`${of}/standings`)],
      ['standings', () => this.get(`${of}/standings`)],
      ['standings', () => this.get(`${of}/standings`)],
      ['contest', () => this.get(of)],
      ['contest', () => this.get(of)],
      ['newest matches', () => this.matches(of, '')],
      ['next matches', () => this.matches(of, this.cursors.get(of) ?? '')],
      ['filtered matches', () => this.matches(of, `&result=${['win', 'draw'][n % 2]}`)],
      ['record', () => this.record(of, n)],
      ['record', () => this.record(of, n)],
      ['record', () => this.record(of, n)],
      ['entrant', () => this.get(`${of}/entrants/${contest === this.contests[0] ? `Bot${n % 28}` : 'Abacus'}`)],
      ['report', () => this.get(`${of}/report`)],
      ['contests', () => this.get('/contests')],
      ['games', () => this.get('/games')],
    ]
    const [kind, read] = kinds[Math.floor(n / this.contests.length) % kinds.length] ?? ['', () => Promise.resolve()]
    await read()
    return kind === 'games' || kind === 'contests'
      ? kind
      : `${kind}, ${contest === this.contests[0] ? 'of the large run' : 'of the one being played'}`
  }

  /** Every other time as one who has it already. */
  private async get(path: string): Promise<string> {
    const tag = this.n % 2 === 0 ? this.tags.get(path) : undefined
    const headers = { 'x-forwarded-for': `10.1.0.${this.n % 250}`, ...(tag !== undefined && { 'if-none-match': tag }) }
    const { status, text, etag } = await ask(this.api + path, headers)
    if (status !== 200 && status !== 304) throw new Error(`${path}: ${status} ${text}`)
    this.tags.set(path, etag)
    return text
  }

  private async matches(of: string, more: string): Promise<void> {
    const path = `${of}/matches?limit=20${more}`
    this.tags.delete(path)
    const { items, next } = JSON.parse(await this.get(path)) as { items: { id: number }[]; next: string | null }
    if (items.length > 0)
      this.records.set(
        of,
        items.map(({ id }) => id),
      )
    if (next !== null) this.cursors.set(of, `&cursor=${next}`)
  }

  private async record(of: string, n: number): Promise<void> {
    const known = this.records.get(of) ?? []
    const id = known[n % Math.max(1, known.length)]
    await this.get(id === undefined ? of : `/matches/${id}`)
  }
}
