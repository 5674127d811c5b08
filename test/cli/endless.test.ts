import { describe, expect, it } from 'vitest'
import { Place, wait } from './agon.js'

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
  'call.toml': contest('call.mjs'),
})

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

  it.each(['SIGINT', 'SIGTERM'] as const)('hears %s between its steps', async (signal) => {
    const run = place.start(['run', 'long.toml', '--trust', '--out', `long-${signal}`])
    await wait(2000)
    run.signal(signal)
    // On a slow machine it may come before anything was started, and ends it as it does any program.
    expect([130, null]).toContain((await run.ended).status)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'is ended by %s in the middle of a call that does not return',
    async (signal) => {
      const run = place.start(['run', 'call.toml', '--trust', '--out', `call-${signal}`])
      let over = false
      void run.ended.then(() => (over = true))
      await wait(1000)
      // A signal from before it was found to be stuck is lost, as a first Ctrl-C may be.
      while (!over) {
        run.signal(signal)
        await wait(500)
      }
      expect((await run.ended).status).not.toBe(0)
    },
    60_000,
  )
})
