import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { games } from '../games/index.js'
import { botKit } from './bot-kit.js'
import { languageNamed } from './languages.js'

/* The bot that asks a language model, with an endpoint of this test's own. */

const KEY = 'sk-very-secret'
const RULE = 'A rule that stands nowhere else.'
const samurai = games.find(({ game }) => game.id === 'samurai')

/** The endpoint's response: a reply, a status, or nothing. */
type Reply = { readonly say: string | null } | number | 'nothing' | 'close' | 'page'
interface Asked {
  readonly url: string | undefined
  readonly key: string | undefined
  readonly body: { readonly model: string; readonly messages: readonly { role: string; content: string }[] }
}

let server: Server
let folder: string
let bot: ChildProcess
let plan: Reply[] = []
let asked: Asked[] = []
let noise = ''
const lines: string[] = []

async function bodyOf(request: IncomingMessage): Promise<Asked['body']> {
  let text = ''
  for await (const part of request) text += String(part)
  return JSON.parse(text) as Asked['body']
}

beforeAll(async () => {
  server = createServer((request, answer) => {
    void bodyOf(request).then((body) => {
      const reply = plan[Math.min(asked.length, plan.length - 1)] ?? 500
      asked.push({ url: request.url, key: request.headers.authorization, body })
      if (reply === 'nothing') return
      if (reply === 'close') return void request.socket.destroy()
      if (reply === 'page') return void answer.end('<html>')
      if (typeof reply === 'number') return void answer.writeHead(reply, { 'retry-after': '0.1' }).end(KEY)
      const choices = [{ message: { role: 'assistant', content: reply.say } }]
      answer.end(JSON.stringify({ choices, usage: { total_tokens: 42 } }))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  folder = mkdtempSync(join(tmpdir(), 'agon-llm-'))
  const about = { name: 'Talker', game: 'samurai', opponents: [], rules: `# Samurai\n\n${RULE}\n` }
  const files = samurai ? botKit(samurai, languageNamed('llm'), about) : {}
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`
  const env = { PATH: process.env['PATH'], AGON_LLM_URL: url, AGON_LLM_MODEL: 'small', AGON_LLM_KEY: KEY }
  bot = spawn('python3', ['bot.py'], { cwd: folder, env, stdio: 'pipe' })
  bot.stderr?.setEncoding('utf8').on('data', (text: string) => (noise += text))
  if (bot.stdout) createInterface({ input: bot.stdout }).on('line', (line) => lines.push(line))
  bot.stdin?.write('{"type":"start","seat":0,"seats":2,"limits":{"turn":60000}}\n')
})
afterAll(() => {
  bot.kill('SIGKILL')
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  asked = []
  noise = ''
})

/** What the bot answers, with this plan of the endpoint's. */
async function answerTo(replies: Reply[], legal: unknown = ['one', 'two', 'three'], turn = 60_000, more = {}) {
  plan = replies
  const n = lines.length
  bot.stdin?.write(
    `${JSON.stringify({ type: 'ask', n, view: { secret: 4711 }, legal, clock: { turn, left: null }, ...more })}\n`,
  )
  await expect.poll(() => lines.length).toBe(n + 1)
  await expect.poll(() => noise).toMatch(/agon:retries=\d/)
  const answer = JSON.parse(lines[n] ?? '') as { readonly action: string; readonly n: number }
  expect(answer.n).toBe(n)
  return answer.action
}

it('gives the rules, the view and the actions, and takes the one that is named', async () => {
  expect(await answerTo([{ say: 'two' }])).toBe('two')
  const [{ url, key, body } = {}] = asked
  expect([url, key, body?.model]).toEqual(['/v1/chat/completions', `Bearer ${KEY}`, 'small'])
  for (const part of [RULE, '4711', 'one', 'two', 'three']) expect(JSON.stringify(body?.messages)).toContain(part)
  expect(noise).toBe('agon:tokens=42\nagon:retries=0\n')
})

it.each([
  ['I take "two", as one is worse.', 'two'],
  ['```\ntwo\n```', 'two'],
  ['{"action": "two"}', 'two'],
  ['one is good, three is better.\n\n**two**', 'two'],
  ['twofold', undefined],
  ['', undefined],
  [null, undefined],
])('a reply %j names %j', async (say, action) => {
  expect(await answerTo([{ say }, { say: 'three' }])).toBe(action ?? 'three')
  expect(asked.length).toBe(action === undefined ? 2 : 1)
})

it('asks once more with the reason, and then plays the first action', async () => {
  expect(await answerTo([{ say: 'four' }])).toBe('one')
  expect(asked.length).toBe(2)
  expect(asked[1]?.body.messages.slice(2)).toMatchObject([{ role: 'assistant', content: 'four' }, { role: 'user' }])
  expect(noise).toContain('agon:tokens=84\nagon:retries=1\n')
})

it('waits as a busy endpoint tells it to, and asks again', async () => {
  expect(await answerTo([429, { say: 'two' }])).toBe('two')
  expect(asked.length).toBe(2)
})

it.each([
  ['fails', [500], 3],
  ['is busy for ever', [429], 3],
  ['closes the connection', ['close' as const], 3],
  ['sends a page', ['page' as const], 3],
])('an endpoint that %s: the first action', async (_, replies, attempts) => {
  expect(await answerTo(replies)).toBe('one')
  expect(asked.length).toBe(attempts)
})

it('an endpoint that does not answer: the first action, within the time of the turn, and of the whole clock', async () => {
  expect(await answerTo(['nothing'], undefined, 300)).toBe('one')
  expect(await answerTo(['nothing'], undefined, 60_000, { clock: { turn: 60_000, left: 300 } })).toBe('one')
})

it.each([
  [{ number: { min: 0, max: 10, step: 0.5 } }, 'I bid 3.7, no: 3.5.', '3.5'],
  [{ number: { min: 0, max: 10 } }, '11', '1'],
  [{ text: { pattern: '[a-z]{1,4}', max: 4 } }, 'Well\n**abcd**', 'abcd'],
  [{ list: { of: ['N', 'E'], min: 2, max: 3 } }, 'Go:\nN E', 'N E'],
  [{ any: ['pass', { number: { min: 1, max: 3 } }] }, '"pass"', 'pass'],
])('of a shape %j it reads %j as %j', async (legal, say, action) => {
  expect(await answerTo([{ say }], legal, 60_000, { example: '1' })).toBe(action)
})

it('shows its key nowhere, also where the endpoint says it', async () => {
  await answerTo([500])
  expect(noise + lines.join('\n')).not.toContain(KEY)
})
