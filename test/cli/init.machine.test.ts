import { readFileSync, readdirSync, symlinkSync } from 'node:fs'
import { expect, it } from 'vitest'
import { Place } from './agon.js'

const place = new Place()
const ANSWERS = ['--title', 'Friday night', '--game', 'samurai', '--format', 'round-robin', '--matches', '3']

it('writes a league that runs, shows its table and is ranked from its results and its archive', async () => {
  const made = await place.agon(['init', 'friday', ...ANSWERS, '--house', 'Metronome,Dice'])
  expect(made.status, made.stderr).toBe(0)
  expect(made.stdout).toContain('agon run friday/')
  expect(readFileSync(place.path('friday', 'contest.toml'), 'utf8')).toContain('title = "Friday night"')
  const quick = await place.agon(['run', 'friday/', '--quick', '--seed', 'quick', '--json', '--out', 'quick'])
  const whole = await place.agon(['run', 'friday', '--seed', 'whole', '--json', '--out', 'whole'])
  const matches = [quick, whole].map(({ stdout }) => (JSON.parse(stdout) as { matches: number }).matches)
  expect(matches[1]).toBe(3 * (matches[0] ?? 0))
  const watched = await place.agon(['standings', 'friday/', '--watch'])
  expect([watched.status, watched.stdout]).toEqual([0, expect.stringContaining('Metronome')])
  const exported = await place.agon(['export', 'friday', 'friday.tar.gz', '--workspace', 'workspace'].slice(0, 3))
  expect(exported.status, exported.stderr).toBe(0)
  const [ofArchive, ofFolder] = await Promise.all(
    [
      ['rank', 'friday.tar.gz', '--json', '--workspace', 'nowhere'],
      ['rank', 'whole', '--json'],
    ].map((words) => place.agon(words)),
  )
  expect(ofArchive?.status, ofArchive?.stderr).toBe(0)
  expect(JSON.parse(ofArchive?.stdout ?? '')).toEqual(JSON.parse(ofFolder?.stdout ?? 'none'))
}, 60_000)

it('writes nothing through a link in the folder', async () => {
  place.write('linked/other', '')
  place.write('elsewhere/other', '')
  symlinkSync(place.path('elsewhere', 'missing'), place.path('linked', 'contest.toml'))
  const refused = await place.agon(['init', 'linked', ...ANSWERS, '--house', 'Metronome,Dice'])
  expect(refused.stderr).toMatch(/^agon: linked\/contest\.toml is there already.*\n$/)
  expect(refused.status).toBe(2)
  expect(readdirSync(place.path('elsewhere'))).toEqual(['other'])
})

it.each([
  [
    ['init', 'there'],
    /^agon: agon init needs a terminal for its questions, and this is not one: give --title, --game, --format, --matches, --house$/,
  ],
  [['init', 'there', ...ANSWERS], /give --house$/],
  [
    ['init', 'there', ...ANSWERS.slice(0, -4), '--format', 'free-for-all', '--matches', '1', '--house', 'none'],
    /samurai is not played by free-for-all/,
  ],
  [['init', 'there', ...ANSWERS, '--house', 'Dise'], /no house bot "Dise" \(did you mean "Dice"\?\)/],
  [['run', 'samurai', '--quick', '--matches', '3'], /--quick and --matches contradict each other/],
])('%s is reported in a line', async (words, message) => {
  const { status, stderr } = await place.agon(words)
  expect([status, stderr.trim()]).toEqual([2, expect.stringMatching(message)])
})
