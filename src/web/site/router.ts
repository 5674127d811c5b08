import { useSyncExternalStore } from 'react'
import { onEvent } from '../shared.js'

const onMoved = onEvent('popstate')

/** Goes to an address of this site: as a new entry of the history, or in place of the last. */
export function go(to: string, replace = false): void {
  if (replace) history.replaceState(null, '', to)
  else {
    history.pushState(null, '', to)
    window.scrollTo(0, 0)
  }
  dispatchEvent(new PopStateEvent('popstate'))
}

/** The address bar's path, and what follows its question mark; what uses it is drawn anew where it changes. */
export function useAddress(): { readonly path: string; readonly query: URLSearchParams } {
  const text = useSyncExternalStore(onMoved, () => location.pathname + location.search)
  const [path = '', query] = text.split(/\?(.*)/)
  return { path, query: new URLSearchParams(query) }
}

/** A path with its parts encoded, and with a query of what is defined: `pathTo(['contests', id], { bot })`. */
export function pathTo(
  parts: readonly (string | number)[],
  query: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const said = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  const path = `/${parts.map((part) => encodeURIComponent(String(part))).join('/')}`
  return said.length === 0 ? path : `${path}?${new URLSearchParams(said).toString()}`
}

/** The parts of a path, decoded; undefined: it is none of this site's. */
export function partsOf(path: string): readonly string[] | undefined {
  try {
    return path.split('/').filter(Boolean).map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/** Follows a link within the site without loading the page anew; what is to open elsewhere is left to the browser. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return
  if (link.pathname.startsWith('/api/') || link.hash !== '') return
  event.preventDefault()
  go(link.pathname + link.search)
}
