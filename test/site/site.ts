import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from '@hono/zod-openapi'
import type { Contest as ContestFacts } from '../../src/site/contests.js'
import {
  type SiteOptions,
  openServices,
  type SiteApp,
  type SiteSetting,
  apiRoutes,
  siteApp,
} from '../../src/site/app.js'
import { firstHostToken } from '../../src/site/http/callers.js'
import { workspaceAt } from '../../src/app/workspace.js'

/** What came back. */
export interface Answered<Body> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Of JSON: what the asker takes it for, once it was held against the route's schema. */
  readonly body: Body
}
/** A problem as the tests read it. */
export interface Problem {
  readonly status: number
  readonly detail: string
  readonly line?: number
  readonly field?: string
}
export interface Asking {
  readonly token?: string
  readonly body?: unknown
  readonly form?: FormData
  readonly headers?: Readonly<Record<string, string>>
}

/** A site in a workspace of its own, without a port. Everything that it answers is held against its own schemas. */
export class TestSite {
  private constructor(
    readonly notices: readonly string[],
    readonly workspace: string,
    readonly services: Awaited<ReturnType<typeof openServices>>,
    readonly app: SiteApp,
    readonly host: string,
  ) {}

  static async open(
    { server, ...setting }: SiteSetting & SiteOptions & { readonly server?: string } = {},
    workspace = mkdtempSync(join(tmpdir(), 'agon-site-')),
  ): Promise<TestSite> {
    const notices: string[] = []
    const notice = (text: string): void => void notices.push(text)
    const context = { workspace: workspaceAt(workspace), notice, server }
    const services = await openServices(context, setting)
    const host = firstHostToken(services.site.site) ?? ''
    return new TestSite(notices, workspace, services, siteApp(services, setting), host)
  }

  /** Asks the API; an answer that is not as its route says fails the test. */
  async ask<Body = unknown>(
    method: 'GET' | 'POST',
    path: string,
    { token, body, form, headers = {} }: Asking = {},
  ): Promise<Answered<Body>> {
    const request = new Request(`http://localhost/api/v1${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(form !== undefined && { body: form }),
    })
    const response = await this.app.fetch(request)
    const text = await response.text()
    const answer = { status: response.status, headers: response.headers, text, body: jsonOf(text) }
    this.check(method, path, answer)
    return answer as Answered<Body>
  }

  private check(method: string, path: string, { status, headers, body }: Answered<unknown>): void {
    if (status === 304) return
    if (status >= 400) {
      if (headers.get('content-type') !== 'application/problem+json')
        throw new Error(`${path}: ${status} is no problem`)
      if (PROBLEM.parse(body).status !== status) throw new Error(`${path}: ${status} is not the problem's status`)
      return
    }
    const route = apiRoutes().find(
      ({ spec }) => spec.method === method.toLowerCase() && patternOf(spec.path).test(path.replace(/\?.*/, '')),
    )
    if (route?.spec.answer === undefined) return
    if (status !== route.spec.status) throw new Error(`${path}: ${status} is not what its route says`)
    route.spec.answer.parse(body)
  }

  /** Makes a contest of house bots, and returns its id. */
  async contest(repetitions: number, more = ''): Promise<string> {
    const { body } = await this.ask<{ id: string }>('POST', '/contests', {
      token: this.host,
      body: { toml: contestOf(repetitions, more) },
    })
    return body.id
  }

  /** Lets people into a contest; returns their tokens by name. */
  async contestants(id: string, ...names: string[]): Promise<Map<string, string>> {
    const tokens = new Map<string, string>()
    for (const name of names) {
      const asked = { token: this.host, body: { name } }
      tokens.set(name, (await this.ask<{ token: string }>('POST', `/contests/${id}/contestants`, asked)).body.token)
    }
    return tokens
  }

  /** Plays a contest to its end. */
  async finish(id: string): Promise<void> {
    await this.ask('POST', `/contests/${id}/start`, { token: this.host })
    await this.until(async () => (await this.ask<ContestFacts>('GET', `/contests/${id}`)).body.state === 'finished')
  }

  async until(test: () => Promise<unknown>): Promise<void> {
    while (!(await test())) await new Promise((done) => setTimeout(done, 20))
  }

  async close(): Promise<void> {
    this.app.close()
    await this.services.close()
  }

  async remove(): Promise<void> {
    await this.close()
    rmSync(this.workspace, { recursive: true, force: true })
  }
}

/** Of all contests here. */
const SEED = 'a seed of more than sixteen characters'

/** Two of Samurai's house bots, neither of which uses chance. */
export const contestOf = (repetitions: number, more = ''): string => `title = "Friday"
game = "samurai"
seed = "${SEED}"
memory = "match"
${more}
[format]
kind = "round-robin"
repetitions = ${repetitions}
[[entrants]]
house = "Hedgehog"
[[entrants]]
house = "Abacus"
`

/** The members that RFC 9457 names, and those that docs/serve.md adds. */
const PROBLEM = z.strictObject({
  type: z.literal('about:blank'),
  title: z.string().min(3),
  status: z.int(),
  detail: z.string().min(3),
  line: z.int().optional(),
  field: z.string().optional(),
})

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
