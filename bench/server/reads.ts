import { setTimeout as wait } from 'node:timers/promises'
import { ask } from './ask.js'

/** Mixed reads of a site, as visitors make them. */
export class Reads {
  private readonly tags = new Map<string, string>()
  private readonly records = new Map<string, readonly number[]>()
  private readonly cursors = new Map<string, string>()
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
    const under: Promise<void>[] = []
    const failures: unknown[] = []
    const began = performance.now()
    for (let i = 0; i < perSecond * seconds; i++) {
      const due = began + (1000 * i) / perSecond
      const early = due - performance.now()
      if (early > 1) await wait(early)
      under.push(
        this.one(this.n++).then(
          () => void took.push(performance.now() - due),
          (error: unknown) => void failures.push(error),
        ),
      )
    }
    await Promise.all(under)
    if (failures.length > 0) throw failures[0]
    return took
  }

  private async one(n: number): Promise<void> {
    const contest = this.contests[n % this.contests.length] ?? ''
    const of = `/contests/${contest}`
    const kinds: readonly (() => Promise<unknown>)[] = [
      () => this.get(`${of}/standings`),
      () => this.get(`${of}/standings`),
      () => this.get(`${of}/standings`),
      () => this.get(of),
      () => this.get(of),
      () => this.matches(of, ''),
      () => this.matches(of, this.cursors.get(of) ?? ''),
      () => this.matches(of, `&result=${['win', 'draw'][n % 2]}`),
      () => this.record(of, n),
      () => this.record(of, n),
      () => this.record(of, n),
      () => this.get(`${of}/entrants/${contest === this.contests[0] ? `Bot${n % 28}` : 'Abacus'}`),
      () => this.get(`${of}/report`),
      () => this.get('/contests'),
      () => this.get('/games'),
    ]
    await kinds[Math.floor(n / this.contests.length) % kinds.length]?.()
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
