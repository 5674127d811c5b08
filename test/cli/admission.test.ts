import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Place } from './agon.js'

const contest = (moodyBuild: string) => `game = "samurai"
seed = "s"
[options]
turns = 2
[format]
kind = "round-robin"
repetitions = 1
[[entrants]]
name = "Built"
${moodyBuild}command = "sh bow.sh"
[[entrants]]
name = "Moody"
command = "sh moody.sh"
`
const place = new Place({ 'bow.sh': 'echo B\n' })
place.write(
  'moody.sh',
  `[ -e '${place.path('asked')}' ] && exec echo B\ntouch '${place.path('asked')}'\necho nonsense\n`,
)
place.write('plain.toml', contest(''))
place.write('built.toml', contest('build = "sh bow.sh"\n'))

/** Moody answers badly the first time it is asked, and never again. */
const run = async (file: string) => {
  rmSync(place.path('asked'), { force: true })
  return place.agon(['run', file, '--jobs', '1', '--unsafe-no-isolation', '--fresh', '--out', `out-${file}`])
}

describe('before the first match', () => {
  it('a first answer that was a fault is told', async () => {
    const { status, stderr } = await run('plain.toml')
    expect(stderr).toContain('Moody: its first answer was a fault')
    expect(status, stderr).toBe(0)
  })

  it('who failed while builds took the cores is asked again in quiet', async () => {
    const { status, stderr } = await run('built.toml')
    expect(stderr).toContain('building Built')
    expect(stderr).not.toContain('first answer')
    expect(status, stderr).toBe(0)
  })
})
