import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { expect, it } from 'vitest'
import { UserError, type Wording, message, option, spelled } from '../../core/index.js'
import { problemOf, invalid, notFound, tooMany, unauthorized } from './answers.js'

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

/** What a caller is answered where this is thrown, and what the host's log has of it. */
async function answered(error: Error): Promise<{ readonly answer: Response; readonly logged: string }> {
  const logged: Wording[] = []
  const app = new Hono()
  app.get('/a', () => {
    throw error
  })
  app.onError((thrown, c) => problemOf(thrown, c, (text) => void logged.push(text)))
  return { answer: await app.request('/a'), logged: logged.map(String).join('\n') }
}

it('logs a fault of its own with all that is known, and tells nobody what it was', async () => {
  const { answer, logged } = await answered(new TypeError('secret of undefined'))
  expect(answer.status).toBe(500)
  expect(await answer.json()).toMatchObject({ title: 'Internal Server Error', status: 500 })
  expect(logged).toMatch(/^GET \/a: TypeError: secret of undefined\n +at /)
  expect(JSON.stringify(await (await answered(new Error('secret'))).answer.json())).not.toContain('secret')
})

it('tells that the host has to mend what his machine lacks, and him in the words of the system', async () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const { answer, logged } = await answered(full)
  expect(answer.status).toBe(503)
  expect(logged).toBe('GET /a: ENOSPC: no space left on device, write')
})

it.each<[Error, number, Readonly<Record<string, unknown>>]>([
  [invalid('no such game', { line: 2 }), 400, { detail: 'no such game', line: 2 }],
  [notFound('there is no such match'), 404, { detail: 'there is no such match' }],
  [new HTTPException(415, { message: 'send JSON' }), 415, { detail: 'send JSON', title: 'Unsupported Media Type' }],
])('tells the caller of a mistake of its own, and does not log it: %s', async (error, status, body) => {
  const { answer, logged } = await answered(error)
  expect([answer.status, logged]).toEqual([status, ''])
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(await answer.json()).toMatchObject({ type: 'about:blank', status, ...body })
})

it('says when to ask again, and how to be let in', async () => {
  const { answer } = await answered(tooMany('later', { wait: 7 }))
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7'])
  expect(await answer.json()).not.toHaveProperty('wait')
  expect((await answered(unauthorized('who are you'))).answer.headers.get('www-authenticate')).toBe('Bearer')
})
