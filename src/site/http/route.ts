import { type OpenAPIHono, type RouteConfig, createRoute, z } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { FAULT_KINDS } from '../../core/index.js'
import { answerText, respond, longRequest, invalid } from './answers.js'
import { type Access, type Caller, type Env, admitTo } from './callers.js'

type Shape = z.ZodObject | undefined
type Data<S extends Shape> = S extends z.ZodObject ? z.infer<S> : undefined

/** What fits a schema, as the site gives it and the page takes it. */
export type Infer<S extends z.ZodType> = Immutable<z.infer<S>>
type Immutable<T> = T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T

type NamesIn<P extends string> = P extends `${string}{${infer N}}${infer Rest}` ? N | NamesIn<Rest> : never

/** What a handler is given. */
type Asked<P extends string, Q extends Shape, B extends Shape> = Readonly<Record<NamesIn<P>, string>> & {
  readonly query: Data<Q>
  readonly body: Data<B>
  readonly caller: Caller
  readonly from: string
  readonly c: Context<Env>
}

/** A route beside its path: the OpenAPI document, the checks of a request, and which callers are refused follow from it. */
interface RouteSpec<Q = Shape, B = Shape, A = z.ZodType | undefined> {
  readonly summary: string
  /** Absent: anyone. */
  readonly access?: Access
  readonly description?: string
  readonly query?: Q
  readonly body?: B
  /** Without a body, it is taken for an empty one. */
  readonly bodyOptional?: boolean
  /** The form that the body is instead; its handler reads it. */
  readonly form?: z.ZodType
  readonly status?: 200 | 201 | 202
  /** What it answers; absent: `media`. */
  readonly answer?: A
  readonly media?: string
  /** Whose the answer is to a GET: each caller's own, or that of each who brings a token; absent: all get the same. */
  readonly own?: 'each' | 'token'
}

type Given<A extends z.ZodType | undefined> = (A extends z.ZodType ? Infer<A> : never) | Response

export interface ApiRoute {
  readonly spec: RouteSpec & {
    readonly method: 'get' | 'post'
    /** Below /api/v1, with {name} for parameters. */
    readonly path: string
    readonly access: Access
    readonly status: number
  }
  readonly register: (app: OpenAPIHono<Env>) => void
}

const routesBy =
  (method: 'get' | 'post') =>
  <
    P extends string,
    Q extends Shape = undefined,
    B extends Shape = undefined,
    A extends z.ZodType | undefined = undefined,
  >(
    path: P,
    own: RouteSpec<Q, B, A>,
  ) => {
    const spec = { access: 'anyone', status: 200, ...own, method, path } as const
    const handler = (handle: (asked: Asked<P, Q, B>) => Promise<Given<A>> | Given<A>): ApiRoute => {
      const answered = async (c: Context<Env>): Promise<Response> => {
        const caller = c.get('caller')
        const from = c.get('address')
        const valid = (part: 'param' | 'query' | 'json'): object | undefined => c.req.valid(part as never)
        const asked = { ...valid('param'), query: valid('query'), body: valid('json'), caller, from, c }
        const made = await handle(asked as never)
        if (made instanceof Response) return made
        if (method === 'get')
          return answerText(c, JSON.stringify(made), {
            own: spec.own === 'each' || (spec.own === 'token' && caller.role !== 'anonymous'),
          })
        const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
        return respond(JSON.stringify(made), spec.status, headers)
      }
      const route = createRoute({ ...configOf(spec), middleware: [admitTo(spec.access), ...boundsOf(spec)] })
      return { spec, register: (app) => app.openapi(route, answered as never) }
    }
    return { handler }
  }
export const get = routesBy('get')
export const post = routesBy('post')

/** Bytes of what the host sends, such as a contest file, and of any other request's body. */
const OF_HOST = 512 * 1024
const BODY = 128 * 1024

/** A GET has no body: even to look whether there is one would cost as much as the rest of the answer. A form is bounded where it is read. */
function boundsOf({ method, form, access }: ApiRoute['spec']): readonly MiddlewareHandler<Env>[] {
  if (method === 'get' || form !== undefined) return []
  const maxSize = access === 'host' ? OF_HOST : BODY
  const onError = (): never => {
    throw longRequest(maxSize)
  }
  return [bodyLimit({ maxSize, onError })]
}

function configOf(spec: ApiRoute['spec']): RouteConfig {
  const { method, path, access, summary, description, query, body, form, status, answer, media } = spec
  const content = answer === undefined ? { [media ?? 'text/plain']: { schema: z.string() } } : json(answer)
  const sent = body === undefined ? form && { 'multipart/form-data': { schema: plain(form) } } : json(body)
  return {
    method,
    path,
    summary,
    description,
    security: access !== 'anyone' ? [{ [access]: [] }] : undefined,
    request: { params: paramsIn(path), query, body: sent && { required: spec.bodyOptional !== true, content: sent } },
    responses: {
      [status]: { description: 'done', content },
      default: {
        description: 'a problem (RFC 9457)',
        content: { 'application/problem+json': { schema: problemSchema } },
      },
    },
  }
}

const json = (schema: z.ZodType) => ({ 'application/json': { schema } })

/** A form's schema as plain JSON Schema: it stands in the document, and the framework does not check it, as its handler reads a form. */
function plain(form: z.ZodType): never {
  const { $schema: _, ...schema } = z.toJSONSchema(form, { unrepresentable: 'any' })
  return schema as never
}

/** A schema with what it means, for the document. */
export const said = <T extends z.ZodType>(schema: T, description: string): T => schema.openapi({ description })

const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    line: said(z.int().optional(), 'of the contest file'),
    field: said(z.string().optional(), 'of the form, in which the mistake is'),
  })
  .openapi('Problem')

/** An object of these members alone, by which the document names it. */
export const object = <S extends z.ZodRawShape>(name: string, shape: S) => z.strictObject(shape).openapi(name)

export const arrayOf = <S extends z.ZodRawShape>(shape: S) => z.array(z.strictObject(shape))

/** A schema of what another layer describes as a type. */
export const typed = <T>(schema: z.ZodType): z.ZodType<T> => schema as z.ZodType<T>

/** The schema of the parameters in a path. */
function paramsIn(path: string): z.ZodObject | undefined {
  if (!path.includes('{id}')) return undefined
  const id = z
    .string()
    .regex(path.startsWith('/matches') ? /^\d{1,15}$/ : /^[\w.-]{1,100}$/, 'nothing here has such an id')
  return z.object({ id, ...(path.includes('{name}') && { name: z.string().min(1).max(200) }) })
}

export const time = z.iso.datetime().openapi({ description: 'ISO 8601', example: '2024-05-01T10:00:00.000Z' })

export const faultKind = z.enum(FAULT_KINDS)

/** Items of a page, unless the request says. */
const LIMIT = 50
export const pages = z.object({
  cursor: said(z.string().max(100).optional(), 'what the page before had as next'),
  limit: said(z.coerce.number().int().min(1).max(200).optional(), `items of a page (${LIMIT})`),
})

export const list = <T extends z.ZodType>(item: T, name: string) =>
  object(name, {
    items: z.array(item),
    next: said(z.string().nullable(), 'the cursor of the next page; null: there is none'),
  })

/** The number in a cursor, which begins with this letter; undefined: there is none. Throws a Refusal for another text. */
function numberIn(cursor: string | undefined, letter: 'n' | 'p'): number | undefined {
  if (cursor === undefined) return undefined
  if (!/^.\d{1,15}$/.test(cursor) || !cursor.startsWith(letter))
    throw invalid('this cursor is none: give what the page before it had as next')
  return Number(cursor.slice(1))
}

/** A page of a list that is short enough to be made whole. */
export function paged<T>(all: readonly T[], { cursor, limit = LIMIT }: z.infer<typeof pages>) {
  const from = numberIn(cursor, 'n') ?? 0
  return { items: all.slice(from, from + limit), next: from + limit < all.length ? `n${from + limit}` : null }
}

export const browsed = ({ cursor, limit = LIMIT }: z.infer<typeof pages>) => ({ before: numberIn(cursor, 'p'), limit })

export const nextOf = ({ next }: { readonly next?: number }): string | null => (next === undefined ? null : `p${next}`)
