import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { VERSION } from '../app/version.js'
import type { SiteContext } from './context.js'
import { type Contest, type FoundContest, findContest, listContests } from './contests.js'
import { type Env, addressOf } from './http/address.js'
import { type Keep, answerText } from './http/answers.js'

/** Milliseconds for which a look at a contest holds, unless something happens to it, and one at all of them: other processes may play them. */
const LOOK_MS = 250
const LIST_MS = 1000
/** Contests whose looks are kept. */
const CONTESTS = 1000
/** Characters of all answers that are kept, together. */
const KEPT = 64 * 1024 ** 2

/** A contest as it was looked at. */
export interface Look {
  readonly found: FoundContest
  /** A text that changes with all that its tables are made of, and with what its ratings are computed of. */
  readonly of: string
  readonly ratedOf: string
}

/** What takes long to answer: it is made once for all who ask, until what it is made of changes. That is also what its ETag is made of. */
export class Tables {
  private readonly looks = new Map<string, Look & { readonly at: number; readonly version: number }>()
  private list: { readonly of: string; readonly made: Promise<readonly Contest[]> } | undefined
  /** By address. */
  private readonly kept = new Map<string, { readonly tag: string; readonly text: Promise<string>; size: number }>()
  private size = 0

  /** `most`: characters of all answers that are kept, together. */
  constructor(
    private readonly context: SiteContext,
    private readonly most = KEPT,
  ) {}

  /** All contests, live ones first. Those that another process plays may be some moments old. */
  async contests(): Promise<readonly Contest[]> {
    const hosted = await this.context.site.contests()
    const second = Math.floor(performance.now() / LIST_MS)
    const of = JSON.stringify([second, hosted.map(({ id, title, state, why, run }) => [id, title, state, why, run])])
    if (this.list?.of !== of) this.list = { of, made: listContests(this.context) }
    return this.list.made
  }

  /** A contest. One that another process plays may be some moments old. Throws a Refusal where there is none. */
  async look(id: string): Promise<Look> {
    const version = this.context.hub.version(id)
    const known = this.looks.get(id)
    const now = performance.now()
    if (known !== undefined && known.version === version && now - known.at < LOOK_MS) return known
    const found = await findContest(this.context, id)
    const looked = { at: now, version, found, ...(await this.sourcesOf(found)) }
    this.looks.delete(id)
    this.looks.set(id, looked)
    for (const oldest of [...this.looks.keys()].slice(0, -CONTESTS)) this.looks.delete(oldest)
    return looked
  }

  /** Answers with what is made when its turn comes, or was made of the same before. `of`: a text that changes with what it is made of. */
  async answer(c: Context<Env>, of: string, make: () => Promise<unknown>, keep: Keep = {}): Promise<Response> {
    const tag = `"${createHash('sha1')
      .update(JSON.stringify([VERSION, addressIn(c), of]))
      .digest('base64url')}"`
    if (c.req.header('if-none-match')?.includes(tag)) return answerText(c, '', { ...keep, tag })
    const text = this.made(addressIn(c), tag) ?? this.make(c, tag, make)
    return answerText(c, await text, { ...keep, tag })
  }

  /** Answers with what was made before, and never changes; undefined: it is not kept. */
  async again(c: Context<Env>): Promise<Response | undefined> {
    const kept = this.kept.get(addressIn(c))
    return kept && answerText(c, await kept.text, { tag: kept.tag, final: true })
  }

  private made(address: string, tag: string): Promise<string> | undefined {
    const kept = this.kept.get(address)
    if (kept?.tag !== tag) return undefined
    this.kept.delete(address)
    this.kept.set(address, kept)
    return kept.text
  }

  private make(c: Context<Env>, tag: string, make: () => Promise<unknown>): Promise<string> {
    const address = addressIn(c)
    const text = this.context.slow.run(addressOf(c), async () => JSON.stringify(await make()))
    const one = { tag, text, size: 0 }
    this.drop(address)
    this.kept.set(address, one)
    text.then(
      ({ length }) => {
        if (this.kept.get(address) !== one) return
        one.size = length + address.length
        this.size += one.size
        for (const oldest of this.kept.keys()) if (this.size > this.most) this.drop(oldest)
      },
      () => this.kept.get(address) === one && this.drop(address),
    )
    return text
  }

  private drop(address: string): void {
    this.size -= this.kept.get(address)?.size ?? 0
    this.kept.delete(address)
  }

  private async sourcesOf({ facts, run }: FoundContest): Promise<Pick<Look, 'of' | 'ratedOf'>> {
    const { store } = this.context
    const changes = run && [run.id, run.matches, await store.exclusions(run.id), [...(await store.ruled(run.id))]]
    const ratedOf = JSON.stringify(changes ?? [])
    return { of: JSON.stringify([facts.title, facts.state, facts.revision, run?.state, ratedOf]), ratedOf }
  }
}

/** What is asked for: a path, and those words of a query that its route knows. */
const addressIn = (c: Context<Env>): string => `${c.req.path}?${JSON.stringify(c.req.valid('query' as never) ?? {})}`
