import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Handler } from 'hono'
import { getMimeType } from 'hono/utils/mime'
import { respond, tagOf } from './answers.js'

/** The page's files by their names, all in memory: nothing that is asked for is looked up on disk. */
function builtFiles() {
  const folder = fileURLToPath(new URL('../../../dist/web/site', import.meta.url))
  if (!existsSync(join(folder, 'index.html')))
    throw new Error('the page is not built: npm run build makes dist/web/site')
  return new Map(
    readdirSync(folder).flatMap((name) => {
      const type = getMimeType(name)
      // Beside each file lies what is sent of it compressed.
      if (type === undefined || !existsSync(join(folder, `${name}.br`))) return []
      const read = (ending: string) => new Uint8Array(readFileSync(join(folder, name + ending)))
      const plain = read('')
      return [[name, { type, tag: tagOf(plain), plain, br: read('.br'), gzip: read('.gz') }]]
    }),
  )
}

/** Serves the page. Every address that names none of its files gets the page, which shows what belongs there. */
export function page(): Handler {
  const files = builtFiles()
  return (c) => {
    const name = c.req.path.slice(1)
    // All files lie at the top: a dot further down is one of a bot's name.
    const isFile = files.has(name) || (!name.includes('/') && extname(name) !== '')
    const file = files.get(isFile ? name : 'index.html')
    if (file === undefined) return c.notFound()
    const accepted = c.req.header('accept-encoding') ?? ''
    const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined
    const headers = {
      'content-type': file.type,
      etag: file.tag,
      vary: 'accept-encoding',
      // A name with its contents' hash in it is never another file.
      'cache-control': /-[\w-]{8,}\.\w+$/.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    }
    if (c.req.header('if-none-match')?.includes(file.tag)) return respond(null, 304, headers)
    return respond(file[encoding ?? 'plain'], 200, {
      ...headers,
      ...(encoding !== undefined && { 'content-encoding': encoding }),
    })
  }
}
