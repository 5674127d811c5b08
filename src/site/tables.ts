import type { Context } from 'hono'
import { VERSION } from '../app/version.js'
import type { SiteContext } from './context.js'
import { type Contest, type FoundContest, findContest, listContests } from './contests.js'
import { type Keep, answerText, tagOf } from './http/answers.js'
import type { Env } from './http/callers.js'

/** Milliseconds for which a look at a contest holds, unless something happens to it, and one at all of them: other processes may play them. */
const LOOK_MS = 250
const LIST_MS = 1000
/** Looks that are kept. */
const LOOKS = 1000
/** Characters of answers after which all that are kept are made anew. */
const KEPT = 64 * 1024 ** 2

/** A contest as it was looked at. */
interface Look {
  readonly found: FoundContest
  /** A text that changes with all that its tables are made of, and with what its ratings are computed of. */
  readonly of: string
  readonly ratedOf: string
}

/** What takes long to answer: it is made once for all who ask, until what it is made of changes. That is also what its ETag is made of. */
export class Tables {
  private readonly looks = new Map<string, { readonly at: number; readonly look: Promise<unknown> }>()
  /** By address. */
  private readonly kept = new Map<string, { readonly tag: string; readonly text: Promise<string> }>()
  private size = 0

  constructor(private readonly context: SiteContext) {
    context.hub.on('touch', (id) => this.looks.delete(id))
  }

  /** All contests, live ones first. Those that another process plays may be some moments old. */
  contests(): Promise<readonly Contest[]> {
    const hosted = this.context.site.contests().map(({ id, title, state, why, run }) => [id, title, state, why, run])
    return this.within(LIST_MS, JSON.stringify(hosted), () => listContests(this.context))
  }

  /** A contest. One that another process plays may be some moments old. Throws a Refusal where there is none. */
  look(id: string): Promise<Look> {
    return this.within(LOOK_MS, id, async () => {
      const { store } = this.context
      const found = await findContest(this.context, id)
      const { facts, run } = found
      const changes = run && [run.id, run.matches, await store.exclusions(run.id), [...(await store.ruled(run.id))]]
      const ratedOf = JSON.stringify(changes ?? [])
      return { found, of: JSON.stringify([facts.title, facts.state, facts.revision, run?.state, ratedOf]), ratedOf }
    })
  }

  /** Answers with what is made when its turn comes, or was made of the same before. `of`: a text that changes with what it is made of. */
  async answer(c: Context<Env>, of: string, make: () => Promise<unknown>, keep: Keep = {}): Promise<Response> {
    const asked = askedIn(c)
    const tag = tagOf(JSON.stringify([VERSION, asked, of]))
    if (c.req.header('if-none-match')?.includes(tag)) return answerText(c, '', { ...keep, tag })
    const known = this.kept.get(asked)
    if (known?.tag === tag) return answerText(c, await known.text, { ...keep, tag })
    const text = this.context.slow.run(c.get('address'), async () => JSON.stringify(await make()))
    this.kept.set(asked, { tag, text })
    text.catch(() => this.kept.delete(asked))
    this.size += (await text).length
    if (this.size > KEPT) {
      this.kept.clear()
      this.size = 0
    }
    return answerText(c, await text, { ...keep, tag })
  }

  /** Answers with what was made before, and never changes; undefined: it is not kept. */
  async again(c: Context<Env>): Promise<Response | undefined> {
    const kept = this.kept.get(askedIn(c))
    return kept && answerText(c, await kept.text, { tag: kept.tag, final: true })
  }

  /** What was made under this name so many milliseconds ago at most, or is made now. */
  private within<T>(ms: number, name: string, make: () => Promise<T>): Promise<T> {
    const now = performance.now()
    const known = this.looks.get(name)
    if (known !== undefined && now - known.at < ms) return known.look as Promise<T>
    if (this.looks.size >= LOOKS) this.looks.clear()
    const look = make()
    this.looks.set(name, { at: now, look })
    look.catch(() => this.looks.delete(name))
    return look
  }
}

/** What is asked for: a path, and those words of a query that its route knows. */
const askedIn = (c: Context<Env>): string => `${c.req.path}?${JSON.stringify(c.req.valid('query' as never) ?? {})}`
