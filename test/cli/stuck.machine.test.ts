import { describe, expect, it } from 'vitest'
import { Place } from './agon.js'

/** A game whose first position takes for ever, and says when that begins. */
const GAME = `import { writeSync } from 'node:fs'
import type { GameDefinition } from 'agon'
const game = {
  id: 'stuck', version: 1, seats: { min: 2, max: 2 }, options: {},
  setup: () => { writeSync(2, 'stuck now\\n'); for (;;); },
  toMove: () => [0, 1], view: () => ({}), legal: () => ['a'], play: (s: object) => s, outcome: () => undefined,
}
export default { game, title: 'Stuck', summary: 'never begins' } as unknown as GameDefinition
`
const CONTEST = `game = "./stuck.ts"\n${['A', 'B'].map((name) => `[[entrants]]\nname = "${name}"\nmodule = "a.js"\n`).join('')}`

describe('a signal while agon cannot turn its loop', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('%s ends it, also right when that begins', async (signal) => {
    const place = new Place({ 'stuck.ts': GAME, 'a.js': `export default () => 'a'\n`, 'c.toml': CONTEST })
    const run = place.start(['run', 'c.toml', '--trust', '--out', 'out'])
    await run.printed('stuck now')
    run.signal(signal)
    expect((await run.ended).status, 'it never ends by itself').toBe(null)
  })
})
