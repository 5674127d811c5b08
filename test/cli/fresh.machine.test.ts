import { existsSync, rmSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { Place } from './agon.js'

const entrant = (name: string) => `[[entrants]]\nname = "${name}"\ncommand = "sh wait.sh"\n`
const place = new Place()
/** It waits for as long as this file is there, once it has said that it was asked for a match's second answer. */
place.write(
  'wait.sh',
  `[ $# -gt 4 ] && touch '${place.path('asked')}'
while [ $# -gt 4 ] && [ -e '${place.path('hold')}' ]; do sleep 0.05; done
echo B
`,
)
place.write(
  'slow.toml',
  `game = "samurai"
seed = "slow"
[options]
turns = 2
[limits]
turn = 60000
${entrant('Ant')}${entrant('Bee')}`,
)
const RUN = ['run', 'slow.toml', '--unsafe-no-isolation', '--out', 'out']

describe('--fresh', () => {
  it('does not take a run away from the process that plays it', async () => {
    place.write('hold', '')
    const live = place.start(RUN)
    await vi.waitFor(() => expect(existsSync(place.path('asked'))).toBe(true), 30_000)
    const fresh = await place.agon([...RUN, '--fresh'])
    expect(fresh.status).toBe(2)
    expect(fresh.stderr).toMatch(
      /^agon: .*out is being played by another agon \(process \d+\): wait until it ends, or end it\n$/,
    )
    rmSync(place.path('hold'))
    const ended = await live.ended
    expect(ended.status, ended.stderr).toBe(0)
    expect(ended.stdout).toContain('Archive:')
    const again = await place.agon([...RUN, '--fresh'])
    expect(again.status, again.stderr).toBe(0)
  })

  it('takes over a run whose process was killed', async () => {
    place.write('hold', '')
    rmSync(place.path('asked'), { force: true })
    // Matches of the seed of before would be taken from the store.
    const other = [...RUN, '--fresh', '--seed', 'other']
    const live = place.start(other)
    await vi.waitFor(() => expect(existsSync(place.path('asked'))).toBe(true), 30_000)
    live.signal('SIGKILL')
    await live.ended
    rmSync(place.path('hold'))
    const again = await place.agon(other)
    expect(again.status, again.stderr).toBe(0)
  })
})
