import { type OpenAPIHono, type RouteConfig, createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { SiteServices } from '../services.js'
import type { Tables } from '../tables.js'
import type { Caller } from '../tokens.js'
import { boundedBody, boundedUpload } from './bodies.js'
import type { Channels } from './channel.js'
import type { LiveChannels } from './live-channel.js'
import type { Streams } from './streams.js'
import type { Uploads } from './uploads.js'
import type { Env } from './env.js'
import { type Access, admitTo } from './guard.js'

type Shape = z.ZodObject
type Data<S extends Shape | undefined> = S extends Shape ? z.infer<S> : undefined

/** What a handler is given: its input as the schemas made it. */
export interface RouteInput<Params, Query, Body> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly caller: Caller
  readonly c: Context<Env>
}

/** What a route is: the same description makes the OpenAPI document, the checks of a request, and decides which callers are refused. */
export interface RouteSpec<P extends Shape | undefined, Q extends Shape | undefined, B extends Shape | undefined> {
  readonly method: 'get' | 'post'
  /** Below /api/v1, with {name} for parameters. */
  readonly path: string
  readonly access: Access
  readonly summary: string
  readonly description?: string
  readonly params?: P
  readonly query?: Q
  /** As JSON. */
  readonly body?: B
  /** Without a body, it is taken for an empty one. */
  readonly bodyOptional?: boolean
  /** Media types other than JSON that the body has; then `body` is not asked, and the handler reads it. */
  readonly form?: z.ZodType
  readonly status: 200 | 201 | 202
  /** What it answers; absent: `media`. */
  readonly answer?: z.ZodType
  readonly media?: string
}

/** What routes answer from. */
export interface ServedSite extends SiteServices {
  readonly channels: Channels
  readonly live: LiveChannels
  readonly streams: Streams
  readonly uploads: Uploads
  readonly tables: Tables
}

/** A route that can be put into an application. */
export interface ApiRoute {
  readonly spec: RouteSpec<Shape | undefined, Shape | undefined, Shape | undefined>
  readonly register: (app: OpenAPIHono<Env>, services: ServedSite) => void
}

/** Makes a route of its description and its handler. */
export function route<
  P extends Shape | undefined = undefined,
  Q extends Shape | undefined = undefined,
  B extends Shape | undefined = undefined,
>(
  spec: RouteSpec<P, Q, B>,
  handle: (services: ServedSite, asked: RouteInput<Data<P>, Data<Q>, Data<B>>) => Promise<Response>,
): ApiRoute {
  return {
    spec,
    register(app, services) {
      app.openapi(createRoute({ ...configOf(spec), middleware: [admitTo(spec.access), ...boundsOf(spec)] }), (async (
        c: Context<Env>,
      ) => {
        const valid = (part: 'param' | 'query' | 'json'): unknown => c.req.valid(part as never)
        return handle(services, {
          params: (spec.params && valid('param')) as Data<P>,
          query: (spec.query && valid('query')) as Data<Q>,
          body: (spec.body && valid('json')) as Data<B>,
          caller: c.get('caller'),
          c,
        })
      }) as never)
    },
  }
}

/** A GET has no body: even to look whether there is one would cost as much as the rest of the answer. */
const boundsOf = ({
  method,
  form,
  access,
}: Pick<RouteSpec<undefined, undefined, undefined>, 'method' | 'form' | 'access'>) =>
  method === 'get' ? [] : [form ? boundedUpload : boundedBody(access)]

function configOf(spec: RouteSpec<Shape | undefined, Shape | undefined, Shape | undefined>): RouteConfig {
  const { method, path, access, summary, description, params, query, body, form, status, answer, media } = spec
  const required = spec.bodyOptional !== true
  const content = answer === undefined ? { [media ?? 'text/plain']: { schema: z.string() } } : json(answer)
  const sent = body === undefined ? form && { 'multipart/form-data': { schema: form } } : json(body)
  return {
    method,
    path,
    summary,
    description,
    security: access !== 'anyone' ? [{ [access]: [] }] : undefined,
    request: {
      params,
      query,
      // Its handler reads a form: the check of its parts comes after its limits.
      body: sent ? { required, content: body === undefined ? plain(sent) : sent } : undefined,
    },
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

/** A form's schema as plain JSON Schema: it stands in the document; the framework does not check it. */
const plain = (content: Record<string, { schema: z.ZodType }>) =>
  Object.fromEntries(
    Object.entries(content).map(([type, { schema }]) => {
      const { $schema: _, ...own } = z.toJSONSchema(schema, { unrepresentable: 'any' })
      return [type, { schema: own as never }]
    }),
  )

const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    line: z.int().optional().openapi({ description: 'of the contest file' }),
  })
  .openapi('Problem')
