import { describe, expect, it } from 'vitest'
import { Place } from './agon.js'

const entrant = (name: string, script: string) => `[[entrants]]\nname = "${name}"\ncommand = "sh ${script}"\n`
/** It says on its standard error what it finds, and leaves a file more each time. */
const KEEPER = `[ $# -eq 0 ] && echo ok && exit
ls state >&2
echo "$#" > "state/keeper.$$"
rm -f state/keeper.txt
mv "state/keeper.$$" state/keeper.txt
echo note > state/another.txt
echo D
`
const place = new Place({
  'keeper.sh': KEEPER,
  'calm.sh': '[ $# -eq 0 ] && echo ok || echo D\n',
  'state.toml': `game = "stronger"
seed = "s"
memory = "tournament"
[options]
turns = 4
[limits]
turn = 20000
[format]
repetitions = 2
${entrant('Keeper', 'keeper.sh')}${entrant('Calm', 'calm.sh')}`,
})

describe('a second file in a state folder that may hold one', () => {
  it.each([
    ['in sandboxes', []],
    ['without', ['--unsafe-no-isolation']],
  ])('is removed after the turn, and reported once: %s', async (name, options) => {
    const out = name.replace(' ', '-')
    const { status, stderr } = await place.agon([
      'run',
      'state.toml',
      '--out',
      out,
      '--workspace',
      `w-${out}`,
      ...options,
    ])
    expect(status, stderr).toBe(0)
    const notes = stderr.split('\n').filter((line) => line.includes('it may keep one file'))
    expect(notes).toEqual([
      'Keeper: it may keep one file in state/: keeper.txt stays, another.txt is removed, and so is any other from now on',
    ])
    const shown = await place.agon(['show', 'state.toml', 'Keeper', '--json', '--workspace', `w-${out}`])
    const { stderr: seen } = JSON.parse(shown.stdout) as { stderr: string }
    expect([...new Set(seen.trim().split('\n'))]).toEqual(['keeper.txt'])
  })
})
