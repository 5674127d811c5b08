import { readFileSync, rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Ended, Place } from './agon.js'

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
const building = place.path('building')
place.write('hasty.sh', `[ -e '${building}' ] && echo nonsense || echo B\n`)
place.write('build.sh', `touch '${building}'\nsleep 0.5\nrm '${building}'\n`)
place.write('built.toml', contest(`build = "sh ${place.path('build.sh')}"\n`).replace('moody.sh', 'hasty.sh'))

/** Moody answers badly the first time it is asked, and never again. */
const run = async (file: string) => {
  rmSync(place.path('asked'), { force: true })
  return place.agon(['run', file, '--jobs', '1', '--unsafe-no-isolation', '--fresh', '--out', `out-${file}`])
}

describe('before the first match', () => {
  it('a first answer that was a fault is reported', async () => {
    const { status, stderr } = await run('plain.toml')
    expect(stderr).toContain('Moody: its first answer was a fault')
    expect(status, stderr).toBe(0)
  })

  it('nobody is asked while builds take the cores', async () => {
    const { status, stderr } = await run('built.toml')
    expect(stderr).toContain('building Built')
    expect(stderr).not.toContain('first answer')
    expect(status, stderr).toBe(0)
  })
})

const mute = (name: string, command: string) => `[[entrants]]\nname = "${name}"\ncommand = "${command}"\n`
const field = new Place({
  'bow.sh': 'echo B\n',
  'crash.sh': 'echo it broke >&2; kill -SEGV $$\n',
  'mute.sh': 'true\n',
  'odd.sh': 'echo ?\n',
  // It answers in three times its limit.
  'slow.sh': '[ "$#" -gt 4 ] || sleep 0.9\necho B\n',
})
field.write(
  'five.toml',
  `game = "samurai"
seed = "s"
[options]
turns = 2
[limits]
turn = 300
[format]
kind = "round-robin"
repetitions = 1
${mute('Bow', 'sh bow.sh')}${mute('Crash', 'sh crash.sh')}${mute('Mute', 'sh mute.sh')}${mute('Odd', 'sh odd.sh')}${mute('Slow', 'sh slow.sh')}`,
)
interface Document {
  standings: { name: string }[]
  leftOut: { name: string; why: string }[]
}
const names = ({ stdout }: Ended): string[] => (JSON.parse(stdout) as Document).standings.map(({ name }) => name).sort()
const leftOut = ({ stdout }: Ended) => (JSON.parse(stdout) as Document).leftOut
const agon = (...args: string[]) => field.agon(['run', 'five.toml', '--unsafe-no-isolation', '--json', ...args])

describe('who gives no answer to the first question', () => {
  it('is left out, with the reason; who is late or wrong plays', async () => {
    const ended = await agon('--out', 'plain')
    expect(ended.status, ended.stderr).toBe(0)
    expect(names(ended)).toEqual(['Bow', 'Odd', 'Slow'])
    expect(leftOut(ended)).toEqual([
      {
        name: 'Crash',
        why: 'gave no answer to its first question: crash: ended by signal SIGSEGV (its last words: it broke)',
      },
      { name: 'Mute', why: 'gave no answer to its first question: silent: printed nothing' },
    ])
    expect(ended.stderr).toContain('Mute is left out: gave no answer to its first question: silent: printed nothing')
    expect(ended.stderr).toContain('Odd: its first answer was a fault: unparsable')
    expect(ended.stderr).toMatch(/Slow: its first answer was late: it took \d+ ms of 300/)
    expect(readFileSync(field.path('plain', 'results.md'), 'utf8')).toContain('Mute: gave no answer')
    expect(JSON.parse(readFileSync(field.path('plain', 'results.json'), 'utf8'))).toMatchObject({
      leftOut: [{ name: 'Crash' }, { name: 'Mute' }],
    })
  })

  it('plays with --admit-anyway', async () => {
    const ended = await agon('--out', 'anyway', '--admit-anyway', '--only', 'Bow,Mute')
    expect(ended.status, ended.stderr).toBe(0)
    expect(names(ended)).toEqual(['Bow', 'Mute'])
    expect(leftOut(ended)).toEqual([])
    expect(ended.stderr).toContain('Mute: gave no answer to its first question')
  })

  it('is pointed to --admit-anyway where too few are left', async () => {
    const ended = await agon('--out', 'few', '--only', 'Bow,Mute')
    expect(ended.status).toBe(2)
    expect(ended.stderr).toContain('1 of 2 entrants can play and 2 are needed')
    expect(ended.stderr).toContain('--admit-anyway keeps entrants that gave no answer')
  })

  it('stays in or out of a run that goes on, as was decided when it began', async () => {
    const state = field.path('moods')
    // How it answers is set from outside of it: the same bot on another day.
    const moody = `[ -e '${state}' ] && exit\necho B\n`
    const contrary = `[ -e '${state}' ] || exit\necho B\n`
    field.write('moody.sh', moody)
    field.write('contrary.sh', contrary)
    field.write(
      'moods.toml',
      `game = "samurai"\nseed = "s"\n[options]\nturns = 2\n${mute('Bow', 'sh bow.sh')}${mute('Bower', 'sh bow.sh')}${mute('Moody', 'sh moody.sh')}${mute('Contrary', 'sh contrary.sh')}`,
    )
    const moods = (...args: string[]) =>
      field.agon(['run', 'moods.toml', '--unsafe-no-isolation', '--json', '--out', 'moods-out', ...args])
    const began = await moods()
    expect(names(began)).toEqual(['Bow', 'Bower', 'Moody'])
    field.write('moods', '')
    const resumed = await moods('--resume')
    expect(resumed.status, resumed.stderr).toBe(0)
    expect(names(resumed)).toEqual(['Bow', 'Bower', 'Moody'])
    expect(leftOut(resumed)).toEqual(leftOut(began))
    const fresh = await moods('--fresh')
    expect(names(fresh)).toEqual(['Bow', 'Bower', 'Contrary'])
  })
})
