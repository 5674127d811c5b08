import type { Context } from 'hono'
import { VERSION } from '../app/version.js'
import type { SiteContext } from './context.js'
import { type Contest, type FoundContest, findContest, listContests } from './contests.js'
import type { Env } from './http/address.js'
import { type Keep, answerText, tagOf } from './http/answers.js'

/** Milliseconds for which a look at a contest holds, unless something happens to it, and one at all of them: other processes may play them. */
const LOOK_MS = 250
const LIST_MS = 1000
/** Contests whose looks are kept. */
const CONTESTS = 1000
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
  private readonly looks = new Map<string, { readonly at: number; readonly look: Promise<Look> }>()
  private list: { readonly of: string; readonly made: Promise<readonly Contest[]> } | undefined
  /** By address. */
  private readonly kept = new Map<string, { readonly tag: string; readonly text: Promise<string> }>()
  private size = 0

  constructor(private readonly context: SiteContext) {
    context.hub.on('touch', (id) => this.looks.delete(id))
  }

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
    const now = performance.now()
    const known = this.looks.get(id)
    if (known !== undefined && now - known.at < LOOK_MS) return known.look
    if (this.looks.size >= CONTESTS) this.looks.clear()
    const look = this.lookNow(id)
    this.looks.set(id, { at: now, look })
    look.catch(() => this.looks.delete(id))
    return look
  }

  /** Answers with what is made when its turn comes, or was made of the same before. `of`: a text that changes with what it is made of. */
  async answer(c: Context<Env>, of: string, make: () => Promise<unknown>, keep: Keep = {}): Promise<Response> {
    const asked = askedIn(c)
    const tag = tagOf(JSON.stringify([VERSION, asked, of]))
    if (c.req.header('if-none-match')?.includes(tag)) return answerText(c, '', { ...keep, tag })
    const known = this.kept.get(asked)
    const text = known?.tag === tag ? known.text : this.make(c, tag, make)
    return answerText(c, await text, { ...keep, tag })
  }

  /** Answers with what was made before, and never changes; undefined: it is not kept. */
  async again(c: Context<Env>): Promise<Response | undefined> {
    const kept = this.kept.get(askedIn(c))
    return kept && answerText(c, await kept.text, { tag: kept.tag, final: true })
  }

  private make(c: Context<Env>, tag: string, make: () => Promise<unknown>): Promise<string> {
    const asked = askedIn(c)
    const text = this.context.slow.run(c.get('address'), async () => JSON.stringify(await make()))
    const kept = { tag, text }
    this.kept.set(asked, kept)
    text.then(
      ({ length }) => {
        this.size += length
        if (this.size <= KEPT) return
        this.kept.clear()
        this.size = 0
      },
      () => this.kept.get(asked) === kept && this.kept.delete(asked),
    )
    return text
  }

  private async lookNow(id: string): Promise<Look> {
    const { store } = this.context
    const found = await findContest(this.context, id)
    const { facts, run } = found
    const changes = run && [run.id, run.matches, await store.exclusions(run.id), [...(await store.ruled(run.id))]]
    const ratedOf = JSON.stringify(changes ?? [])
    return { found, of: JSON.stringify([facts.title, facts.state, facts.revision, run?.state, ratedOf]), ratedOf }
  }
}

/** What is asked for: a path, and those words of a query that its route knows. */
const askedIn = (c: Context<Env>): string => `${c.req.path}?${JSON.stringify(c.req.valid('query' as never) ?? {})}`
