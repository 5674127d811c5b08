import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../src/store/index.js'
import { type Ended, Place, lastLine, wait } from './agon.js'

const ENTRANT = (name: string, more: string) => `[[entrants]]\nname = "${name}"\n${more}\n`
const contest = (seed: string, matches: number, entrants: string) =>
  `title = "Four"\ngame = "samurai"\nseed = "${seed}"\n[options]\nturns = 6\n[limits]\nturn = 20000\n[format]\nkind = "round-robin"\nrepetitions = ${matches}\n${entrants}`
const FOUR = [
  ENTRANT('Random', 'module = "random.ts"'),
  ENTRANT('Bower', 'module = "bower.js"'),
  ENTRANT('Loud', 'command = "sh loud.sh"'),
  ENTRANT('Mute', 'command = ["sh", "mute.sh"]'),
].join('')

const place = new Place({
  'four.toml': contest('four', 2, FOUR),
  'slow.toml': `memory = "match"\n${contest('slow', 16, FOUR.replace('bower.js', 'slow.js'))}`,
  'random.ts': `export default (_view: unknown, chance: { below(n: number): number }) => 'WBGIPO'.charAt(chance.below(6))\n`,
  'bower.js': `export default () => 'B'\n`,
  'slow.js': `export default () => new Promise((done) => setTimeout(() => done('B'), 30))\n`,
  'loud.sh': `echo Imitate; printf '\\033[2Jred\\n' >&2\n`,
  'mute.sh': `[ $# -eq 6 ] && [ "\${#1}" -eq 1 ] || echo G\n`,
})

interface Document {
  run: string
  finished: boolean
  matches: number
  played: number
  reused: number
  standings: { name: string; points: number }[]
  faults: Record<string, Record<string, number>>
  elo: { rows: { name: string; rating: number }[] }
  excluded?: { name: string; status: string; treatment: string; why: string }[]
}
const documentOf = ({ stdout, stderr }: Ended): Document => {
  expect(stdout, stderr).toMatch(/^\{/)
  return JSON.parse(stdout) as Document
}
const names = ({ standings }: Document) => standings.map(({ name }) => name)

describe('what a run left in the workspace', () => {
  let run: Document
  beforeAll(async () => {
    run = documentOf(await place.agon(['run', 'four.toml', '--out', 'one', '--json']))
  })

  it('is listed, and its table is shown without playing', async () => {
    expect([run.played, run.reused]).toEqual([12, 0])
    const listed = await place.agon(['runs', '--json'])
    const [one] = JSON.parse(listed.stdout) as { id: string; state: string; matches: number }[]
    expect(one).toMatchObject({ state: 'finished', matches: 12, title: 'Four', seed: 'four' })
    const shown = documentOf(await place.agon(['standings', 'four.toml', '--json']))
    expect([shown.run, shown.finished, shown.standings, shown.faults, shown.elo]).toEqual([
      one?.id,
      true,
      run.standings,
      run.faults,
      run.elo,
    ])
    expect(run.elo.rows).toHaveLength(4)
    const table = await place.agon(['standings', 'four.toml', '--run', one?.id.slice(0, 10) ?? ''])
    expect(table.stdout).toMatch(
      /^Four: 12 matches, seed four .*\n[^]*95 % interval[^]*Points by opponent[^]*Mute: 6 silent\n$/,
    )
  })

  it('what is not there is reported in a line', async () => {
    for (const args of [
      ['standings', 'five.toml'],
      ['standings', 'four.toml', '--run', 'other'],
      ['show', 'four.toml', 'Rendom'],
      ['standings', 'four.toml', '--workspace', 'nowhere'],
      ['import', 'nothing.tgz'],
    ]) {
      const { status, stdout, stderr } = await place.agon(args)
      expect([status, stdout], args.join(' ')).toEqual([2, ''])
      expect(stderr).toMatch(/^agon: .*\n$/)
    }
  })

  it('tells why a bot lost: what it was sent and said, its faults, its standard error, and how to see it', async () => {
    const { status, stdout } = await place.agon(['show', 'four.toml', 'mute', '--losses'])
    expect(status).toBe(0)
    expect(stdout).toMatch(/^Mute in Four .*: rank \d, .* points; 6 matches: /)
    expect(stdout).toMatch(
      /Mute: silent: printed nothing, turn 2\n {4}turn 2:\n {6}sent arguments: "[WBGIPO]" "[WBGIPO]" "\d+"/,
    )
    expect(stdout).not.toContain('place 1 ')
    const replay = /replay: agon (replay four\.toml --match \S+ --run \S+)/.exec(stdout)?.[1] ?? ''
    const replayed = await place.agon(replay.split(' '))
    expect(replayed.stdout, replayed.stderr).toMatch(/^ *turn  /m)
    const loud = await place.agon(['show', 'four.toml', 'Loud'])
    expect(loud.stdout).toMatch(/The end of its standard error:\n.*\\u\{1b\}\[2Jred/)
    const [match] = (
      JSON.parse((await place.agon(['show', 'four.toml', 'Loud', '--json'])).stdout) as {
        shown: { against: string[] }[]
      }
    ).shown
    expect(match?.against).toHaveLength(1)
  })

  it('tells how long answers took', async () => {
    const { stdout } = await place.agon(['show', 'four.toml', '--timing', '--json'])
    const { bots, stalls } = JSON.parse(stdout) as {
      bots: { name: string; questions: number; longest: number }[]
      stalls: unknown[]
    }
    expect(bots.map(({ name }) => name)).toEqual(['Random', 'Bower', 'Loud', 'Mute'])
    for (const { questions, longest } of bots) expect([questions > 5, longest > 0]).toEqual([true, true])
    expect(stalls).toEqual([])
  })

  it('is judged again by the rules as they are, and stands', async () => {
    const { status, stdout } = await place.agon(['rejudge', 'four.toml'])
    expect([status, lastLine(stdout)]).toEqual([
      0,
      'by samurai version 1: 12 of 12 results the same, 0 changed, 0 open',
    ])
  })

  it('is written into one file and rebuilt from it exactly, and nothing is left to play there', async () => {
    expect((await place.agon(['export', 'four.toml', 'run.tgz'])).status).toBe(0)
    const store = openStore(place.path('workspace'), 'test')
    const [latest] = await store.runs()
    const ratings = await store.ratings(latest?.id ?? '')
    await store.close()
    expect(ratings.map(({ entrant, kind, value, low, high }) => [entrant, kind, low < value && value < high])).toEqual(
      [0, 1, 2, 3].map((entrant) => [entrant, 'Bradley–Terry', true]),
    )
    expect((await place.agon(['export', 'four.toml', 'run.tgz'])).status, 'is not written over').toBe(2)
    const there = ['--workspace', 'there']
    expect((await place.agon(['import', 'run.tgz', ...there])).status).toBe(0)
    expect((await place.agon(['import', 'run.tgz', ...there])).status, 'again').toBe(0)
    await place.agon(['export', 'four.toml', 'again.tgz', ...there])
    expect(readFileSync(place.path('again.tgz')).equals(readFileSync(place.path('run.tgz')))).toBe(true)
    const shown = documentOf(await place.agon(['standings', 'four.toml', '--json', ...there]))
    expect(shown.standings).toEqual(run.standings)
    const played = documentOf(await place.agon(['run', 'four.toml', '--out', 'two', '--json', ...there]))
    expect([played.played, played.reused, played.standings]).toEqual([0, 12, run.standings])
    place.write('bad.tgz', 'no archive')
    // Cut off where only the checksum of the whole stood.
    writeFileSync(place.path('short.tgz'), readFileSync(place.path('run.tgz')).subarray(0, -1))
    expect((await place.agon(['import', 'short.tgz', '--workspace', 'short'])).status).toBe(2)
    const bad = await place.agon(['import', 'bad.tgz', ...there])
    expect([bad.status, bad.stderr]).toEqual([2, expect.stringMatching(/^agon: bad\.tgz: no archive of agon export/)])
  })

  it('a bot that was changed plays its own matches again, no others', async () => {
    place.write('five.toml', contest('four', 2, FOUR + ENTRANT('New', 'command = "sh new.sh"')))
    place.write('new.sh', 'echo G\n')
    const grown = documentOf(await place.agon(['run', 'five.toml', '--out', 'five', '--json']))
    expect([grown.played, grown.reused]).toEqual([8, 12])
    place.write('new.sh', 'echo W\n')
    const changed = documentOf(await place.agon(['run', 'five.toml', '--out', 'changed', '--json']))
    expect([changed.played, changed.reused]).toEqual([8, 12])
  })

  it('an entrant is put out, its matches void, and the log tells it', async () => {
    await place.agon(['run', 'four.toml', '--out', 'less', '--json'])
    const out = await place.agon(['withdraw', 'four.toml', 'Bower', '--why', 'sent by mistake'])
    expect(out.stdout).toMatch(/^Bower is withdrawn \(sent by mistake\): none of its matches counts\n/)
    expect((await place.agon(['disqualify', 'four.toml', 'Bower'])).status).toBe(2)
    const shown = documentOf(await place.agon(['standings', 'four.toml', '--json']))
    expect(names(shown).sort()).toEqual(['Loud', 'Mute', 'Random'])
    expect(shown.standings.reduce((sum, { points }) => sum + points, 0)).toBe(6)
    expect(shown.excluded).toMatchObject([{ name: 'Bower', status: 'withdrawn', treatment: 'void' }])
    const { stdout } = await place.agon(['log', 'four.toml', '--json'])
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { what: string }).what),
    ).toEqual(['began', 'finished', 'withdrawn'])
    const again = documentOf(await place.agon(['run', 'four.toml', '--out', 'less', '--resume', '--json']))
    expect([again.standings, again.played]).toEqual([shown.standings, 0])
  })

  it('what an entrant played before it was put out stands, also where the run is resumed', async () => {
    const there = ['--workspace', 'lost']
    const first = documentOf(await place.agon(['run', 'four.toml', '--out', 'lost-out', '--json', ...there]))
    const out = await place.agon(['disqualify', 'four.toml', 'Loud', '--matches', 'lost', ...there])
    expect(out.stdout).toMatch(/^Loud is disqualified: what it had not played counts as lost\n/)
    const again = documentOf(
      await place.agon(['run', 'four.toml', '--out', 'lost-out', '--resume', '--json', ...there]),
    )
    expect([again.standings, again.matches, again.played]).toEqual([first.standings, 12, 0])
    expect(readFileSync(place.path('lost-out', 'records.jsonl'), 'utf8').trim().split('\n')).toHaveLength(12)
    expect(readFileSync(place.path('lost-out', 'results.md'), 'utf8')).toContain('Loud is disqualified')
    expect((await place.agon(['standings', 'four.toml', ...there])).stdout).toContain(
      'Loud is disqualified: what it had',
    )
  })

  it('an entrant with too many faults is disqualified, whatever it played before', async () => {
    const args = ['--max-faults', '3', '--json', '--workspace', 'faults']
    const [one, more] = [
      documentOf(await place.agon(['run', 'four.toml', '--out', 'f1', '--jobs', '1', ...args])),
      documentOf(await place.agon(['run', 'four.toml', '--out', 'f2', '--jobs', '4', ...args, '--workspace', 'f4'])),
    ]
    expect(names(one)).not.toContain('Mute')
    expect(one.standings).toEqual(more.standings)
    expect(one.excluded).toMatchObject([{ name: 'Mute', status: 'disqualified', why: '3 faults' }])
  })
})

describe('the run that is meant', () => {
  it('is that of the file, and of another that is called the same only where that one is gone', async () => {
    const there = ['--workspace', 'meant']
    for (const folder of ['here', 'away']) mkdirSync(place.path(folder))
    place.write('here/friday.toml', contest('friday', 1, FOUR))
    for (const file of ['random.ts', 'bower.js', 'loud.sh', 'mute.sh'])
      place.write(`here/${file}`, readFileSync(place.path(file), 'utf8'))
    place.write('away/friday.toml', contest('other', 1, FOUR))
    const ran = await place.agon(['run', 'here/friday.toml', '--out', 'friday', '--json', ...there])
    expect(ran.status, ran.stderr).toBe(0)
    for (const verb of [['standings'], ['withdraw', 'Mute']]) {
      const [name = '', ...more] = verb
      const { status, stderr } = await place.agon([name, 'away/friday.toml', ...more, ...there])
      expect([status, stderr]).toEqual([2, expect.stringContaining('holds no run of away/friday.toml')])
    }
    rmSync(place.path('here/friday.toml'))
    expect((await place.agon(['standings', 'away/friday.toml', ...there])).status).toBe(0)
  })

  it('is resumed as it was asked for', async () => {
    const asked = ['--matches', '60', '--max-faults', '5000', '--strict-timing', '--unsafe-no-isolation']
    const run = place.start(['run', 'slow.toml', ...asked, '--out', 'asked', '--workspace', 'asking'])
    await run.printed('first silent')
    run.signal('SIGINT')
    const { status, stderr } = await run.ended
    expect(status, stderr).toBe(130)
    const words = `agon run slow.toml ${asked.join(' ')} --workspace asking --resume --out`
    expect(stderr).toContain(`To continue: ${words}`)
    const put = await place.agon(['withdraw', 'slow.toml', 'Mute', '--workspace', 'asking'])
    // What lets bots out of their sandboxes is not repeated for a user who may not have said it: the run may be imported.
    expect(put.stdout).toContain(`if none does: ${words.replace(' --unsafe-no-isolation', '')}`)
    expect(put.stdout).toContain('it began with --unsafe-no-isolation: add that only if you trust all of its bots\n')
  })

  it('is not sought where the workspace is a file', async () => {
    place.write('plain', '')
    const { status, stderr } = await place.agon(['runs', '--workspace', 'plain'])
    expect([status, stderr]).toEqual([2, expect.stringMatching(/plain is a file, and a workspace is a folder/)])
  })
})

describe('a rule that turns out wrong', () => {
  /** The higher of two numbers wins; or, by the rule as it should be, the lower. */
  const game = (version: number, sign: string) => `export default {
  game: {
    id: 'numbers', version: ${version}, seats: { min: 2, max: 2 }, options: {},
    setup: () => ({ said: null }),
    toMove: ({ said }) => (said ? [] : [0, 1]),
    view: (state) => state,
    legal: () => ['1', '2', '3'],
    play: (_, moves) => ({ said: moves.map(Number) }),
    outcome: ({ said }) => {
      if (!said) return undefined
      const lead = ${sign}(said[0] - said[1])
      return { place: lead === 0 ? [1, 1] : lead > 0 ? [1, 2] : [2, 1], reason: 'numbers' }
    },
  },
  title: 'Numbers', summary: 'The higher number wins.',
}
`
  const numbers = ['1', '2', '3'].map((n) => ENTRANT(`N${n}`, `module = "n${n}.js"`)).join('')

  it('counts as it was ruled, also where the run is resumed', async () => {
    place.write('mended.js', game(1, '+'))
    for (const n of ['1', '2', '3']) place.write(`n${n}.js`, `export default () => '${n}'\n`)
    const head = 'title = "Mended"\ngame = "./mended.js"\nseed = "n"\n[format]\nkind = "round-robin"\nrepetitions = 1\n'
    place.write('mended.toml', `${head}${numbers}`)
    const args = ['run', 'mended.toml', '--out', 'mended', '--json']
    expect(names(documentOf(await place.agon(args)))).toEqual(['N3', 'N2', 'N1'])
    place.write('mended.js', game(1, '-'))
    expect(
      (await place.agon(['rejudge', 'mended.toml', '--game', 'mended.js', '--apply', '--why', 'the sign'])).status,
    ).toBe(0)
    const again = documentOf(await place.agon([...args, '--resume']))
    expect([names(again), again.played]).toEqual([['N1', 'N2', 'N3'], 0])
  })

  it('makes another game of its file: none of the matches of before is taken for it', async () => {
    place.write('copy.js', game(1, '+'))
    for (const n of ['1', '2', '3']) place.write(`n${n}.js`, `export default () => '${n}'\n`)
    const head = 'title = "Copy"\ngame = "./copy.js"\nseed = "n"\n[format]\nkind = "round-robin"\nrepetitions = 1\n'
    place.write('copy.toml', `${head}${numbers}`)
    const args = ['run', 'copy.toml', '--json', '--workspace', 'copies', '--out']
    const first = documentOf(await place.agon([...args, 'copy1']))
    expect([first.played, first.reused, names(first)]).toEqual([3, 0, ['N3', 'N2', 'N1']])
    const same = documentOf(await place.agon([...args, 'copy2']))
    expect([same.played, same.reused]).toEqual([0, 3])
    place.write('copy.js', game(1, '-'))
    const edited = documentOf(await place.agon([...args, 'copy3']))
    expect([edited.played, edited.reused, names(edited)]).toEqual([3, 0, ['N1', 'N2', 'N3']])
    // A run that began with the file as it was keeps what it has, and says so.
    const resumed = await place.agon([...args, 'copy1', '--resume'])
    expect([documentOf(resumed).played, names(documentOf(resumed))]).toEqual([0, ['N3', 'N2', 'N1']])
    expect(resumed.stderr).toMatch(
      /copy\.js has changed since this run began: what was played counts as it was played; .* --fresh plays all of it again/,
    )
    const fresh = documentOf(await place.agon([...args, 'copy1', '--fresh']))
    expect([fresh.played, fresh.reused, names(fresh)]).toEqual([0, 3, ['N1', 'N2', 'N3']])
    const archive = await place.agon(['export', 'copy.toml', 'copy.agon', '--workspace', 'copies'])
    expect(archive.status, archive.stderr).toBe(0)
    const words = ['import', 'copy.agon', '--workspace', 'elsewhere', '--game', './copy.js']
    const brought = await place.agon(words)
    expect(brought.status, brought.stderr).toBe(0)
  })

  it('makes a new run of a league whose game is a file, which goes on else', async () => {
    const files = ['1', '2', '3'].map((n) => [`numbers/n${n}.js`, `export default () => '${n}'\n`] as const)
    for (const [file, text] of files) place.write(file, text)
    place.write('numbers/game.js', `import { sign } from './sign.js'\n${game(1, 'sign * ')}`)
    place.write('numbers/sign.js', 'export const sign = 1\n')
    place.write(
      'numbers/contest.toml',
      `game = "./game.js"\n[format]\nkind = "round-robin"\nrepetitions = 1\n${numbers}`,
    )
    const args = ['run', 'numbers', '--json', '--workspace', 'league']
    const counts = ({ stdout, stderr, status }: { stdout: string; stderr: string; status: number | null }) => {
      expect(status, stderr).toBe(0)
      const { played, reused } = JSON.parse(stdout) as { played: number; reused: number }
      return [played, reused]
    }
    expect(counts(await place.agon(args))).toEqual([3, 0])
    const again = await place.agon(args)
    expect([counts(again), again.stderr]).toEqual([[0, 3], expect.stringContaining('3 matches are kept')])
    // What it imports belongs to it.
    place.write('numbers/sign.js', 'export const sign = -1\n')
    const other = await place.agon(args)
    expect([counts(other), other.stderr]).toEqual([
      [3, 0],
      expect.stringMatching(
        /game\.js has changed since .* was played, so a new run begins, and none of its 3 matches is kept/,
      ),
    ])
  })

  it('is found by judging again, and counts once it is ruled so', async () => {
    place.write('numbers.js', game(1, '+'))
    for (const n of ['1', '2', '3']) place.write(`n${n}.js`, `export default () => '${n}'\n`)
    place.write(
      'numbers.toml',
      `title = "Numbers"\ngame = "./numbers.js"\nseed = "n"\n[format]\nkind = "round-robin"\nrepetitions = 1\n${numbers}`,
    )
    const run = documentOf(await place.agon(['run', 'numbers.toml', '--out', 'numbers', '--json']))
    expect(names(run)).toEqual(['N3', 'N2', 'N1'])
    place.write('numbers.js', game(2, '-'))
    const unnamed = await place.agon(['rejudge', 'numbers.toml'])
    expect([unnamed.status, unnamed.stderr]).toEqual([
      2,
      expect.stringContaining('it is code: name its file with --game'),
    ])
    const rejudged = await place.agon(['rejudge', 'numbers.toml', '--game', 'numbers.js'])
    expect(rejudged.status, rejudged.stderr).toBe(1)
    expect(rejudged.stdout).toMatch(/^1\/N1-N2\/1: places \d \d \(numbers\) becomes places \d \d \(numbers\)$/m)
    expect(lastLine(rejudged.stdout)).toBe('by numbers version 2: 0 of 3 results the same, 3 changed, 0 open')
    expect(names(documentOf(await place.agon(['standings', 'numbers.toml', '--json'])))).toEqual(['N3', 'N2', 'N1'])
    const applied = await place.agon([
      'rejudge',
      'numbers.toml',
      '--game',
      'numbers.js',
      '--apply',
      '--why',
      'rule 3 was read the wrong way round',
    ])
    expect(applied.status, applied.stderr).toBe(0)
    expect(names(documentOf(await place.agon(['standings', 'numbers.toml', '--json'])))).toEqual(['N1', 'N2', 'N3'])
    expect((await place.agon(['rejudge', 'numbers.toml', '--game', 'numbers.js'])).status).toBe(0)
    const log = await place.agon(['log', 'numbers.toml'])
    expect(log.stdout.match(/ruled {2}match: 1\/N\d-N\d\/1, .*why: rule 3 was read the wrong way round/g)).toHaveLength(
      3,
    )
    const again = documentOf(await place.agon(['run', 'numbers.toml', '--out', 'numbers2', '--json']))
    expect([again.played, names(again)], 'by other rules they are other matches').toEqual([3, ['N1', 'N2', 'N3']])
  })
})

describe('a run that is under way', () => {
  it('is seen by others, waits while it is paused, and goes on without who is put out', async () => {
    const running = place.start(['run', 'slow.toml', '--out', 'slow', '--json', '--workspace', 'live'])
    await running.printed('Mute: its first silent')
    const live = ['--workspace', 'live']
    expect((await place.agon(['pause', 'slow.toml', ...live])).status).toBe(0)
    await running.printed('paused')
    const matches = async () => documentOf(await place.agon(['standings', 'slow.toml', '--json', ...live])).matches
    // The matches that were under way land first, however slow the machine is.
    let before = -1
    for (let now = await matches(); now !== before; now = await matches()) {
      before = now
      await wait(300)
    }
    await wait(600)
    expect(await matches()).toBe(before)
    expect(before).toBeLessThan(96)
    expect((await place.agon(['disqualify', 'slow.toml', 'Bower', ...live])).status).toBe(0)
    expect((await place.agon(['continue', 'slow.toml', ...live])).status).toBe(0)
    const ended = await running.ended
    expect(ended.stderr).toContain('Bower is disqualified: none of its matches counts')
    expect(names(documentOf(ended)).sort()).toEqual(['Loud', 'Mute', 'Random'])
    expect(documentOf(ended).matches).toBeLessThan(96)
  }, 120_000)
})
