import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { findIsolation } from '../../src/sandbox/index.js'
import { Place, wait } from './agon.js'

const { program: isolation } = await findIsolation()
/** One call of a game may work for five seconds; with this, half a second counts as five. */
const FAST = { NODE_OPTIONS: `--require ${fileURLToPath(new URL('../kit/fast-work.cjs', import.meta.url))}` }

/** A game that goes on for ever, by steps or in one call. */
const game = (play: string): string => `export default {
  game: {
    id: 'forever', version: 1, seats: { min: 2, max: 2 }, options: {}, setup: () => ({ n: 0 }), toMove: () => [0, 1],
    view: ({ n }) => ({ n }), legal: () => ['a'], play: ${play}, outcome: () => undefined,
  },
  title: 'Forever', summary: 'never ends',
}
`
const contest = (file: string, head = ''): string => `game = "./${file}"
seed = "s"
${head}
[[entrants]]
name = "A"
module = "a.js"
[[entrants]]
name = "B"
module = "a.js"
`
const place = new Place({
  'steps.mjs': game('({ n }) => ({ n: n + 1 })'),
  'call.mjs': game('() => { for (;;) {} }'),
  'a.js': `export default () => 'a'\n`,
  'steps.toml': contest('steps.mjs', 'steps = 300'),
  'long.toml': contest('steps.mjs', 'steps = 1000000000'),
  'top.mjs': `import './helper.mjs'\n${game('(s) => s')}`,
  'helper.mjs': 'for (;;);\n',
  'top.toml': contest('top.mjs'),
  'await.mjs': `await new Promise(() => {})\n${game('(s) => s')}`,
  'await.toml': contest('await.mjs'),
  'timer.mjs': `setInterval(() => {}, 1000)\n${game('(s) => s')}`,
  'timer.toml': contest('timer.mjs'),
  'later.mjs': game('({ n }) => { setTimeout(() => {}, 1e6); return { n: n + 1 } }'),
  'later.toml': contest('later.mjs'),
  'exit.mjs': game('({ n }) => { if (n === 2) process.exit(0); return { n: n + 1 } }'),
  'exit.toml': contest('exit.mjs'),
  'ready.mjs': game('({ n }) => ({ n: n + 1 })').replace(
    'title:',
    `wires: { chat: {
      transport: 'lines', summary: 'chat', limits: { ready: 1000 }, ask: () => ({ lines: ['?'] }), read: ({ out }) => out,
      ready: { at: 'match', within: 'ready', expects: 'print ok', ok: () => { for (;;); } },
    } }, title:`,
  ),
  'ready.toml': contest('ready.mjs').replaceAll('module = "a.js"', 'command = "sh ok.sh"'),
  'ok.sh': 'echo ok; while read -r line; do echo a; done\n',
  'loud.mjs': game('({ n }) => (console.log("in play", n), { n: n + 1 })')
    .replace('outcome: () => undefined', "outcome: ({ n }) => (n < 3 ? undefined : { place: [1, 1], reason: 'end' })")
    .replace('toMove: () => [0, 1]', 'toMove: ({ n }) => (n < 3 ? [0, 1] : [])'),
  'loud.toml': contest('loud.mjs'),
  // The main thread plays the first moment of a run, and follows what is played in others.
  'thread.mjs': `import { isMainThread } from 'node:worker_threads'\n${game(
    '({ n }) => { while (!isMainThread); return { n: n + 1 } }',
  )
    .replace(
      'outcome: () => undefined',
      "outcome: ({ n }) => (n < 2000 ? undefined : { place: [1, 1], reason: 'end' })",
    )
    .replace('toMove: () => [0, 1]', 'toMove: ({ n }) => (n < 2000 ? [0, 1] : [])')}`,
  'thread.toml': contest('thread.mjs', '[format]\nkind = "round-robin"\nrepetitions = 3000\n').replaceAll(
    'module = "a.js"',
    'module = "a.js"\nmemory = "match"',
  ),
})

const soon = (words: readonly string[]) => place.start(words, '', FAST).ended
/** Resolves once a run has made the folder of its results: it plays, or is about to. */
async function begun(out: string): Promise<void> {
  await expect.poll(() => existsSync(place.path(out))).toBe(true)
}

describe('a game that never ends', () => {
  it('is the mistake of its designer, after as many steps as the contest allows', async () => {
    const { status, stderr } = await place.agon(['run', 'steps.toml', '--trust', '--out', 'steps'])
    expect(status).toBe(2)
    expect(stderr).toMatch(/^agon: the game forever \(.*steps\.mjs\) has not ended after 300 steps: .*$/m)
    expect(stderr).not.toMatch(/^ +at /m)
  })

  it.each([['match', 'a.js', 'a.js'] as const, ['check', 'a.js'] as const])(
    'agon %s ends after 100,000 steps',
    async (verb, ...bots) => {
      const { status, stderr } = await place.agon([verb, './steps.mjs', ...bots, '--trust'])
      expect(status).toBe(2)
      expect(stderr).toMatch(/steps\.mjs\) has not ended after 100000 steps/)
    },
    120_000,
  )

  it.each([
    ['check', './call.mjs', 'a.js'],
    ['test', 'game', './call.mjs', '--seed', 'again'],
  ])(
    'agon %s tells of a call that does not return',
    async (...words) => {
      const trust = words[0] === 'test' ? [] : ['--trust']
      const { status, stderr } = await soon([...words, ...trust])
      expect(status, stderr).toBe(2)
      const which = words[0] === 'test' ? '--seed again' : 'luck "[0-9a-f]{32}"'
      expect(stderr).toMatch(
        new RegExp(
          `^agon: .*call\\.mjs: play\\(\\) does not return: it has worked for 5 seconds \\(in turn 1; ${which}\\)$`,
          'm',
        ),
      )
      expect(stderr).not.toMatch(/^ +at |debugger/m)
    },
    180_000,
  )

  it('is told of in a thread, too', { timeout: 180_000 }, async () => {
    const { status, stderr } = await soon(['run', 'thread.toml', '--trust', '--jobs', '2', '--out', 'thread'])
    expect(status, stderr).toBe(2)
    expect(stderr).toMatch(/^agon: .*thread\.mjs: play\(\) does not return: .* \(in turn 1; luck "[0-9a-f]{32}"\)/m)
  })

  it.each([
    [
      'top',
      'top.mjs never ends loading: what stands at its top, or in a file that it imports, has worked for 5 seconds',
    ],
    ['await', 'await.mjs never ends loading: it awaits, at its top, what does not come'],
    ['timer', 'timer.mjs does not load: Error: setInterval is called, and a game has no timers'],
    ['later', 'play() threw Error: setTimeout is called, and a game has no timers'],
    ['exit', 'exit.mjs: play() ends agon itself (process.exit): a game only answers'],
  ])('a run of a game tells what never ends, or ends too much: %s', { timeout: 180_000 }, async (name, why) => {
    const { status, stderr } = await soon(['run', `${name}.toml`, '--trust', '--out', name])
    expect(status, stderr).toBe(2)
    expect(stderr).toContain(why)
    expect(stderr).toContain(`${name}.mjs`)
    expect(stderr).not.toMatch(/^ +at |debugger/m)
  })

  it.skipIf(isolation === undefined)('tells of a part of a wire', { timeout: 180_000 }, async () => {
    const { status, stderr } = await soon(['run', 'ready.toml', '--out', 'ready'])
    expect(status, stderr).toBe(2)
    expect(stderr).toMatch(/ready\.mjs: ready\.ok\(\) does not return/)
  })

  it('may print, which does not get into what agon answers', async () => {
    const { status, stdout, stderr } = await place.agon(['run', 'loud.toml', '--trust', '--json', '--out', 'loud'])
    expect(status, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ game: 'forever' })
    expect(stderr).toContain('in play 2')
  })

  it.each([
    ['SIGINT', 'between its steps', 'long'],
    ['SIGTERM', 'between its steps', 'long'],
  ] as const)(
    'is ended by %s %s',
    async (signal, _, name) => {
      const run = place.start(['run', `${name}.toml`, '--trust', '--out', `${name}-${signal}`])
      let over = false
      void run.ended.then(() => (over = true))
      await begun(`${name}-${signal}`)
      // A signal from before it was found to be stuck is lost, as a first Ctrl-C may be.
      while (!over) {
        run.signal(signal)
        await wait(50)
      }
      // By the signal, and not by the watch over calls, which takes five seconds and ends with 2.
      expect([130, 143, null]).toContain((await run.ended).status)
    },
    180_000,
  )
})
