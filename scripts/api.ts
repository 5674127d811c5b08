// Writes docs/api.md from the OpenAPI document: every route, who may use it, what it takes and what it answers.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { apiDocument } from '../src/site/app.js'

/** The parts of an OpenAPI document that the page tells. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}
interface Operation {
  readonly summary: string
  readonly description?: string
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}
interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Schema
  readonly description?: string
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly anyOf?: readonly Schema[]
}

const INTRODUCTION = `# The HTTP API

<!-- npm run api writes this page from the OpenAPI document, which a site serves at /api/v1/openapi.json. -->

\`agon serve\` ([serve.md](serve.md)) answers these requests below \`/api/v1\`. The page of the site uses nothing else.

- A token is sent as \`Authorization: Bearer TOKEN\`. The host's is shown at the first start of \`agon serve\`; a contestant's when the
  contestant is let in. No cookie is ever read.
- A list is \`{"items": […], "next": CURSOR}\`; \`?cursor=CURSOR\` gives the next page, and \`null\` says that there is none.
- What went wrong is a problem document (RFC 9457): \`{"type", "title", "status", "detail"}\`, for a mistake in a contest file with its
  \`line\`. 401: a token is needed, or is invalid. 403: another one is. 409: not now. 413: too large. 429: too often; \`Retry-After\`
  tells when to come back.
- Answers carry an \`ETag\`; \`If-None-Match\` saves the rest. What can never change says so (\`immutable\`).
`

/** The page. */
function apiPage({ paths, components }: Document): string {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => section(method, path, operation)),
  )
  const schemas = Object.entries(components.schemas)
    .filter(([name]) => name !== 'Problem')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => `### ${name}\n\n${about(schema)}${fields(schema)}`)
  return [INTRODUCTION, '## Routes', ...routes, '## What is answered', ...schemas].join('\n\n')
}

function section(method: string, path: string, operation: Operation): string {
  const { summary, description, security, parameters = [], requestBody, responses } = operation
  const who = Object.keys(security?.[0] ?? {})[0] ?? 'anyone'
  const [status = '', response] = Object.entries(responses).find(([code]) => code !== 'default') ?? []
  const parts = [
    `### ${method.toUpperCase()} ${path}`,
    `${summary}. For ${who === 'anyone' ? 'anyone' : `the ${who}`}.${description === undefined ? '' : ` ${description}`}`,
    parameters
      .map(({ name, in: where, schema, description: own }) => {
        const text = own ?? schema.description
        return `- \`${where === 'path' ? `{${name}}` : `?${name}=`}\` ${typeOf(schema)}${text === undefined ? '' : `: ${text}`}`
      })
      .join('\n'),
    requestBody && bodyOf(requestBody.content),
    `Answers ${status}${answerOf(response?.content)}`,
  ]
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n')
}

function bodyOf(content: Content): string {
  const [first] = Object.entries(content)
  if (first === undefined) return ''
  const [type, { schema }] = first
  return `Takes \`${type}\`:\n\n${fields(schema)}`
}

function answerOf(content: Content | undefined): string {
  const [first] = Object.entries(content ?? {})
  if (first === undefined) return '.'
  const [type, { schema }] = first
  if (type !== 'application/json') return ` with \`${type}\`.`
  return schema.$ref === undefined && schema.anyOf === undefined ? `:\n\n${fields(schema)}` : ` with ${typeOf(schema)}.`
}

const about = ({ description }: Schema): string => (description === undefined ? '' : `${description}.\n\n`)

function fields({ properties = {}, required = [] }: Schema): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const optional = required.includes(name) ? '' : ', optional'
      return `- \`${name}\` (${typeOf(schema)}${optional})${schema.description === undefined ? '' : `: ${schema.description}`}`
    })
    .join('\n')
}

/** A type as a few words: `list of Match`. */
function typeOf(schema: Schema): string {
  const { $ref, type, enum: values, items, anyOf, properties } = schema
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? ''
    return `[${name}](#${name.toLowerCase()})`
  }
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(', ')
  if (items !== undefined) return `list of ${typeOf(items)}`
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ')
  const types = [type ?? []]
    .flat()
    .map((one) => (one === 'object' && properties ? `{ ${Object.keys(properties).join(', ')} }` : one))
  return types.length === 0 ? 'any' : types.join(' or ')
}

const path = new URL('../docs/api.md', import.meta.url)

/** docs/api.md as it should be. */
export async function apiText(): Promise<string> {
  const style = await resolveConfig(path)
  return format(apiPage(apiDocument() as Document), { ...style, filepath: fileURLToPath(path) })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(path, await apiText())
