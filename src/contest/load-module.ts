import { existsSync } from 'node:fs'
import { register } from 'node:module'
import { pathToFileURL } from 'node:url'

/**
 * Loading a game or a bot from a file, wherever it lies and whether or not it was compiled.
 *
 * Theory of operation. Node caches a module by its URL, so each life gets a query of its own (`?life=…`), and a resolve hook hands that on
 * to what the file imports by relative paths. The hook also makes `import … from 'agon'` mean this package, and takes a file written as an
 * ES module for one, whatever package.json says. TypeScript goes through tsx, in a namespace of its own; it resolves by way of the hook
 * because that was registered before it.
 */

/** Imports `file` (absolute; .ts, .js, .mjs …) with fresh module state for each distinct `life`. Throws whatever the import throws. */
export async function importFresh(file: string, life: string): Promise<unknown> {
  const url = pathToFileURL(file)
  url.searchParams.set('life', life)
  if (!isOwn(file)) hook()
  if (!fromSource && !/\.[cm]?tsx?$/.test(file)) return import(url.href)
  hook()
  scope ??= import('tsx/esm/api').then((tsx) => tsx.register({ namespace: 'agon', tsconfig: false }))
  return (await scope).import(url.href, import.meta.url)
}

const ROOT = new URL('../', import.meta.url)
const fromSource = import.meta.url.endsWith('.ts')
/** Whether a file came with agon. */
export const isOwn = (file: string): boolean => pathToFileURL(file).href.startsWith(ROOT.href)
let scope: Promise<{ import: (url: string, parent: string) => Promise<unknown> }> | undefined
let hooked = false

function hook(): void {
  if (hooked) return
  hooked = true
  register(`data:text/javascript,${encodeURIComponent(HOOK)}`, { data: { agon: packageUrl(), root: ROOT.href } })
}

/** What a bare `import … from 'agon'` means: this very package. */
export function packageUrl(): string {
  const compiled = new URL('bundle/index.js', ROOT)
  return existsSync(compiled) ? compiled.href : new URL('index.ts', ROOT).href
}

/** Runs in Node's loader thread, hence as text. */
const HOOK = String.raw`
import { readFileSync } from 'node:fs'

let agon, root
export function initialize(data) {
  agon = data.agon
  root = data.root
}
export async function resolve(specifier, context, next) {
  if (specifier === 'agon') return next(agon, context)
  const resolved = await next(specifier, context)
  if (!resolved.url.startsWith('file:') || resolved.url.startsWith(root) || resolved.url.includes('/node_modules/')) return resolved
  const url = new URL(resolved.url)
  const life = /^\.\.?\//.test(specifier) && /[?&]life=([^&#]*)/.exec(context.parentURL ?? '')
  if (life && !url.searchParams.has('life')) url.searchParams.set('life', decodeURIComponent(life[1]))
  return { ...resolved, url: url.href, ...format(url) }
}
function format(url) {
  if (/\.tsx?$/.test(url.pathname)) return { format: 'module-typescript' }
  if (url.pathname.endsWith('.js') && /^\s*(import|export)\b/m.test(readFileSync(new URL(url.pathname, url), 'utf8'))) return { format: 'module' }
  return {}
}
`
