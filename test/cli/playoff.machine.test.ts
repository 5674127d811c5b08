import { describe, expect, it } from 'vitest'
import { type Ended, Place } from './agon.js'

const entrant = (name: string) => `[[entrants]]\nname = "${name}"\nmodule = "bow.js"\n`
const place = new Place({
  'bow.js': `export default () => 'B'\n`,
  'tie.toml': `game = "samurai"
seed = "tie"
[options]
turns = 3
[format]
kind = "round-robin"
repetitions = 2
playoff = 9
${entrant('Ant')}${entrant('Bee')}`,
})
const WHY =
  'joint winners: Ant and Bee, level after 4 playoffs, the last of them the same moves again: more would decide nothing'
interface Document {
  matches: number
  played: number
  notes: string[]
  finished: boolean
}
const documentOf = ({ stdout }: Ended): Document => JSON.parse(stdout) as Document

describe('a playoff of bots that repeat themselves', () => {
  it('ends early in a run, in its table, and in a run that goes on', async () => {
    const run = ['run', 'tie.toml', '--trust', '--json', '--out', 'out']
    const first = await place.agon(run)
    expect(first.status, first.stderr).toBe(0)
    expect(documentOf(first)).toMatchObject({ matches: 6, notes: [WHY], finished: true })
    const table = await place.agon(['standings', 'tie.toml', '--json'])
    expect(documentOf(table)).toMatchObject({ matches: 6, notes: [WHY], finished: true })
    const again = await place.agon([...run, '--resume'])
    expect(documentOf(again)).toMatchObject({ matches: 6, played: 0, notes: [WHY] })
  })
})

describe('a run whose entrants are all disqualified', () => {
  it('ends, and says that nobody won', async () => {
    const out = ['Ant', 'Bee'].map((name) => `[[entrants]]\nname = "${name}"\nmodule = "odd.js"\n`)
    place.write('odd.js', `export default () => '?'\n`)
    place.write('odd.toml', `game = "samurai"\nseed = "odd"\n[options]\nturns = 3\n${out.join('')}`)
    const ended = await place.agon(['run', 'odd.toml', '--trust', '--max-faults', '1', '--json', '--out', 'odd-out'])
    expect(ended.status, ended.stderr).toBe(0)
    expect(documentOf(ended)).toMatchObject({ finished: true, standings: [] })
    expect(documentOf(ended).notes[0]).toBe('nobody won: nobody is left')
    const table = await place.agon(['standings', 'odd.toml'])
    expect(table.stdout).toContain('nobody won: nobody is left')
  })
})
