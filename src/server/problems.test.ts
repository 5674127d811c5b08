import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { UserError, type Wording, message, option, spelled } from '../core/index.js'
import { problemOf } from './problems.js'

it('tells the host alone what he has to mend, with options as he writes them', async () => {
  const logged: Wording[] = []
  const app = new Hono()
  app.get('/', () => {
    throw new UserError(message`site.db: is damaged; choose another workspace with ${option('workspace')}`)
  })
  app.onError((error, c) => problemOf(error, c, (text) => void logged.push(text)))
  const answer = await app.request('/')
  expect(answer.status).toBe(503)
  expect(await answer.text()).not.toContain('site.db')
  const onTerminal = (named: object): string => ('option' in named ? `--${String(named.option)}` : '')
  expect(logged.map((text) => spelled(text, onTerminal))).toEqual([
    'GET /: site.db: is damaged; choose another workspace with --workspace',
  ])
})
