import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Handler } from 'hono'
import { lookUp } from '../../core/index.js'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** A file of the page, as it is sent. */
interface PageFile {
  readonly type: string
  readonly tag: string
  readonly plain: Buffer
  readonly br: Buffer
  readonly gzip: Buffer
}

/** The page's files by their names, all in memory: nothing that is asked for is looked up on disk. */
function builtFiles(): ReadonlyMap<string, PageFile> {
  const folder = fileURLToPath(new URL('../../../dist/web/site', import.meta.url))
  if (!existsSync(join(folder, 'index.html')))
    throw new Error('the page is not built: npm run build makes dist/web/site')
  return new Map(
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const type = lookUp(TYPES, extname(entry.name))
      if (!entry.isFile() || type === undefined) return []
      const read = (ending: string): Buffer => readFileSync(join(folder, entry.name + ending))
      const plain = read('')
      const tag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`
      return [[entry.name, { type, tag, plain, br: read('.br'), gzip: read('.gz') }]]
    }),
  )
}

/** Serves the page. Every address that names none of its files gets the page, which shows what belongs there. */
export function page(): Handler {
  const files = builtFiles()
  return (c) => {
    const name = c.req.path.slice(1)
    const named = files.get(name)
    // All files lie at the top: a dot further down is one of a bot's name.
    if (named === undefined && !name.includes('/') && extname(name) !== '') return c.notFound()
    const file = named ?? files.get('index.html')
    if (file === undefined) return c.notFound()
    const headers: Record<string, string> = {
      'content-type': file.type,
      etag: file.tag,
      vary: 'accept-encoding',
      // A name with its contents' hash in it is never another file.
      'cache-control': /-[\w-]{8,}\.\w+$/.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    }
    if (c.req.header('if-none-match')?.includes(file.tag)) return new Response(null, { status: 304, headers })
    const accepted = c.req.header('accept-encoding') ?? ''
    const how = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined
    if (how !== undefined) headers['content-encoding'] = how
    return new Response(new Uint8Array(file[how ?? 'plain']), { headers })
  }
}
