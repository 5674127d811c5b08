import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterAll, expect, it } from 'vitest'
import { MAIN, Place } from './agon.js'

const place = new Place()
interface Scene {
  readonly observation?: { readonly history: string; readonly enemyHistory: string }
  readonly legal: readonly string[]
  readonly reward: number
  readonly terminated: boolean
  readonly error?: string
  readonly outcome?: { readonly place: readonly number[]; readonly reason: string }
}
interface AllSeats {
  readonly observations: Readonly<Record<string, unknown>>
  readonly legal: Readonly<Record<string, readonly string[]>>
  readonly rewards: Readonly<Record<string, number>>
  readonly terminated: boolean
}

const started = new Set<{ kill(): void }>()
afterAll(() => {
  for (const one of started) one.kill()
})

/** `agon env`, asked a line at a time. */
function environment(...words: string[]) {
  const child = spawn(process.execPath, [MAIN, 'env', ...words], {
    cwd: place.folder,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, AGON_WORKSPACE: place.path('workspace') },
  })
  started.add({ kill: () => child.kill('SIGKILL') })
  const ended = new Promise<number | null>((done) => child.on('close', done))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async ask<T = Scene>(message: unknown): Promise<T> {
      child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
      return JSON.parse(String((await lines.next()).value)) as T
    },
    end(): Promise<number | null> {
      child.stdin.end()
      return ended
    },
  }
}

it('plays an episode to its end, and the same one again of the same seed', async () => {
  const env = environment('samurai', '--opponent', 'Dice', '--option', 'turns=30')
  const episode = async (seed: string): Promise<Scene[]> => {
    let last = await env.ask({ type: 'reset', seed })
    const scenes = [last]
    for (; !last.terminated; scenes.push(last))
      last = await env.ask({ type: 'step', action: last.legal.includes('B') ? 'B' : last.legal[0] })
    return scenes
  }
  const scenes = await episode('one')
  const last = scenes.at(-1) as Scene
  expect(scenes.slice(0, -1).every(({ legal, reward }) => legal.length > 0 && reward === 0)).toBe(true)
  expect(last.legal).toEqual([])
  // What it is worth: 1 to who is placed before the other.
  const [mine = 0, other = 0] = last.outcome?.place ?? []
  expect(last.reward).toBe(Math.sign(other - mine))
  expect(last.observation?.history).toHaveLength(scenes.length - 1)
  expect(await episode('one')).toEqual(scenes)
  expect((await episode('two')).at(-1)?.observation?.enemyHistory).not.toBe(last.observation?.enemyHistory)
  expect(await env.end()).toBe(0)
}, 60_000)

it('answers what cannot be done by an error, and stays as it is', async () => {
  const env = environment('samurai', '--opponent', 'Dice', '--seat', '1')
  const errors = [{ type: 'step', action: 'B' }, 'nonsense', '7', { type: 'fly' }, { type: 'reset', seed: [1] }]
  for (const message of errors) expect(Object.keys(await env.ask(message))).toEqual(['error'])
  const first = await env.ask({ type: 'reset', seed: 1 })
  expect((await env.ask({ type: 'step', action: 'fly' })).error).toMatch(/^"fly" is not legal now/)
  expect((await env.ask({ type: 'step' })).error).toContain('action is a text')
  const [action] = first.legal
  expect((await env.ask({ type: 'step', action })).observation?.history).toBe(action)
  // An episode that is under way is given up.
  expect(await env.ask({ type: 'reset', seed: 1 })).toEqual(first)
  expect(await env.end()).toBe(0)
}, 60_000)

it('gives all seats where there is no opponent, and a turn to those that are due', async () => {
  const samurai = environment('samurai', '--option', 'turns=2')
  const begun = await samurai.ask<AllSeats>({ type: 'reset', seed: '1' })
  expect([Object.keys(begun.observations), begun.terminated]).toEqual([['0', '1'], false])
  expect(await samurai.ask({ type: 'step', actions: { 0: 'B' } })).toEqual({
    error: 'seat 1 is due, and has no action',
  })
  await samurai.ask({ type: 'step', actions: { 0: 'B', 1: 'W' } })
  // A Sword without honour costs the life.
  const over = await samurai.ask<AllSeats>({ type: 'step', actions: { 0: 'B', 1: 'W' } })
  expect([over.terminated, over.legal]).toEqual([true, { 0: [], 1: [] }])
  expect(over.rewards[0]).toBe(-(over.rewards[1] ?? NaN) || 0)
  expect(await samurai.end()).toBe(0)
  const coup = environment('coup')
  const turn = await coup.ask<AllSeats>({ type: 'reset', seed: '1' })
  const [due = ''] = Object.keys(turn.legal)
  expect(Object.keys(turn.legal)).toHaveLength(1)
  const other = due === '0' ? '1' : '0'
  const wrong = { [due]: turn.legal[due]?.[0], [other]: 'I' }
  expect(await coup.ask({ type: 'step', actions: wrong })).toEqual({ error: `seat ${other} is not due now` })
  expect(await coup.end()).toBe(0)
}, 60_000)

it('tells of a seat or an opponent that is not there', async () => {
  const seat = await place.agon(['env', 'samurai', '--opponent', 'Dice', '--seat', '2'])
  expect([seat.status, seat.stderr]).toEqual([2, expect.stringContaining('there is no seat 2')])
  const many = await place.agon(['env', 'samurai', ...['Dice', 'Dice'].flatMap((one) => ['--opponent', one])])
  expect([many.status, many.stderr]).toEqual([2, expect.stringContaining('samurai is played by 2')])
}, 60_000)

it('is an environment for Python', async () => {
  const file = await place.agon(['env', 'samurai', '--python'])
  place.write('agon_env.py', file.stdout)
  place.write(
    'learn.py',
    `import sys
from agon_env import AgonEnv, AgonParallelEnv
with AgonEnv("samurai", "Abacus", options={"turns": 5}, agon=sys.argv[1]) as env:
    observation, info = env.reset(seed=3)
    steps = 0
    while info["legal"]:
        observation, reward, terminated, truncated, info = env.step(info["legal"][0])
        steps += 1
    print(steps == observation["turn"] - 1, reward in (-1, 0, 1), terminated, truncated)
with AgonParallelEnv("samurai", options={"turns": 1}, agon=sys.argv[1]) as env:
    observations, infos = env.reset(seed=3)
    print(env.agents, sorted(observations))
    observations, rewards, ended, truncated, infos = env.step({"0": "B", "1": "B"})
    print(env.agents, rewards, ended)
    try:
        env.step({"0": "B", "1": "B"})
    except ValueError as error:
        print(str(error)[:19])
`,
  )
  const said = await new Promise<string>((done) => {
    const child = spawn('python3', ['learn.py', `${process.execPath} ${MAIN}`], { cwd: place.folder })
    let text = ''
    child.stdout.on('data', (data: Buffer) => (text += data.toString()))
    child.stderr.on('data', (data: Buffer) => (text += data.toString()))
    child.on('close', () => done(text))
  })
  expect(said.trim().split('\n')).toEqual([
    'True True True False',
    "['0', '1'] ['0', '1']",
    "[] {'0': 0, '1': 0} {'0': True, '1': True}",
    'the episode is over',
  ])
}, 60_000)
