import { html } from 'hono/html'
import type { MiddlewareHandler } from 'hono'
import { visible } from '../core/index.js'
import { number } from '../text/index.js'
import type { SiteContext } from './context.js'
import type { Env } from './http/address.js'
import { respond } from './http/answers.js'
import { type ApiRoute, contestId, get } from './http/route.js'
import { standingsOfContest } from './standings.js'
import type { Tables } from './tables.js'

type Html = ReturnType<typeof html>

/** Where the tables lie that need no script. */
const PLAIN = '/api/v1/tables'

/** A page without scripts. */
async function pageOf(title: string, body: Html): Promise<Response> {
  const text = await html`<!doctype html>
    <html lang="en">
      <meta name="viewport" content="width=device-width" />
      <meta name="color-scheme" content="light dark" />
      <title>${title}</title>
      <h1>${title}</h1>
      ${body}
    </html>`
  return respond(String(text), 200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
  })
}

/** Leads to such a table whoever asks for a page with `?plain`. */
export const plainPlace: MiddlewareHandler<Env> = async (c, next) => {
  if (c.req.query('plain') === undefined) return next()
  const [, id] = /^\/contests\/([^/]+)/.exec(c.req.path) ?? []
  return c.redirect(id === undefined ? PLAIN : `${PLAIN}/${id}`)
}

export const plainRoutes = (site: SiteContext, tables: Tables): readonly ApiRoute[] => [
  get('/tables', 'The contests as a page without scripts', { media: 'text/html' }, async () => {
    const items = (await tables.contests()).map(
      ({ id, title, state }) => html`<li><a href="${PLAIN}/${id}">${visible(title)}</a> (${state})</li>`,
    )
    return pageOf(
      'Contests',
      html`<ul>
        ${items}
      </ul>`,
    )
  }),
  get(
    '/tables/{id}',
    'The table of a contest as a page without scripts',
    { params: contestId, media: 'text/html' },
    async ({ params, from }) => {
      const { found } = await tables.look(params.id)
      const { rows, columns, notes, matches } = await site.slow.run(from, () => standingsOfContest(site, found))
      const heads = ['#', 'Name', 'By', 'Points', ...columns, 'Won', 'Drawn', 'Lost'].map(
        (head) => html`<th scope="col" align="left">${visible(head)}</th>`,
      )
      const lines = rows.map(({ rank, name, author = '', points, cells, wins, draws, losses }) => {
        const figures = [points, ...cells, wins, draws, losses].map((value) => html`<td>${number(value)}</td>`)
        return html`<tr>
          <td>${rank}</td>
          <th scope="row" align="left">${visible(name)}</th>
          <td>${visible(author)}</td>
          ${figures}
        </tr>`
      })
      return pageOf(
        visible(found.facts.title),
        html`<p><a href="${PLAIN}">Contests</a> · ${found.facts.state}, ${matches} matches</p>
          ${found.facts.notice === undefined ? '' : html`<p>${visible(found.facts.notice)}</p>`}
          <table cellpadding="4">
            <thead>
              <tr>
                ${heads}
              </tr>
            </thead>
            <tbody>
              ${lines}
            </tbody>
          </table>
          ${notes.map((note) => html`<p>${visible(note)}</p>`)}`,
      )
    },
  ),
]
