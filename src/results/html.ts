import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { escaped, htmlTable } from '../text/index.js'
import type { ReportData } from './data.js'
import { packed } from './shown-matches.js'

/**
 * A report as one HTML file that loads nothing: only the page's own program and style run, by their hashes, under its own
 * policy. No name of a bot or contest can become markup. Without scripts the table is still there.
 */
export function reportHtml({ document, matches, packs }: ReportData, { script, style }: Page): string {
  if (/<\/script|<!--/i.test(script)) throw new Error('the page’s script would end its element before its time')
  if (/<\/style/i.test(style)) throw new Error('the page’s style sheet would end its element before its time')
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="agon ${escaped(document.agon)}">
<title>${escaped(document.title)}</title>
<style>${style}</style>
</head>
<body>
<div id="root">
${plainTable(document)}</div>
${data('document', jsonText(document), 'application/json')}
${data('matches', packed(JSON.stringify(matches)))}
${packs.map((pack, i) => data(`pack-${i}`, pack)).join('\n')}
<script type="module">${script}</script>
</body>
</html>
`
}

/** Data that no browser runs: base64, or JSON with escaped angle brackets. */
function data(id: string, text: string, type = 'application/gzip'): string {
  return `<script type="${type}" data-report="${id}">${text}</script>`
}

/** JSON that cannot end the element that holds it. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The table without scripts, or before the page's program runs. */
function plainTable({ title, standings, entrants, leftOut = [] }: ReportData['document']): string {
  const table = htmlTable([
    { head: '#', cells: standings.rows.map(({ rank }) => String(rank)), right: true },
    { head: 'Name', cells: standings.rows.map(({ entrant }) => entrants[entrant]?.name ?? ''), right: false },
    { head: 'Points', cells: standings.rows.map(({ points }) => String(points)), right: true },
  ])
  return `<main class="inner">
<h1>${escaped(title)}</h1>
${table}${leftOut.map(({ name, why }) => `<p>Left out: ${escaped(name)}: ${escaped(why)}</p>\n`).join('')}</main>
`
}

interface Page {
  readonly script: string
  readonly style: string
}

/** Reads the built page: beside this layer in the package, or in dist/ where agon runs from its sources. */
export function builtPage(): Page {
  const folder = ['../web/', '../../dist/web/']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(`${path}page.js`))
  if (folder === undefined) throw new Error('the page is not built: npm run build makes dist/web')
  return { script: readFileSync(`${folder}page.js`, 'utf8'), style: readFileSync(`${folder}page.css`, 'utf8') }
}
