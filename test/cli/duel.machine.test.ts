import { readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import { type Ended, Place } from './agon.js'

const place = new Place({
  'bow.sh': 'echo B\n',
  'random.ts': `export default (_view: unknown, chance: { below(n: number): number }) => 'WBGIPO'.charAt(chance.below(6))\n`,
})

interface Document {
  first: string
  second: string
  decision: string
  matches: number
  distinct: number
  llr: number
  pentanomial: number[]
  score: { wins: number; draws: number; losses: number }
  elo: { rating: number; low: number; high: number }
  faults: number[]
}
const duel = (...args: string[]) => place.agon(['duel', 'samurai', ...args, '--option', 'turns=20', '--trust'])
const documentOf = ({ stdout, stderr }: Ended): Document => {
  expect(stdout, stderr).toMatch(/^\{/)
  return JSON.parse(stdout) as Document
}

describe('agon duel', () => {
  it('decides for a bot that is better, the same way however many pairs are played at once', async () => {
    const args = ['Abacus', 'random.ts', '--sprt', '0', '100', '--seed', '1', '--json']
    const [one, three] = await Promise.all([duel(...args, '--jobs', '1'), duel(...args, '--jobs', '3')])
    const document = documentOf(one)
    expect(documentOf(three)).toEqual(document)
    const { decision, matches, score, elo, first } = document
    expect([first, decision, matches % 2]).toEqual(['Abacus', 'H1', 0])
    expect(score.wins).toBeGreaterThan(3 * score.losses)
    expect(matches).toBe(score.wins + score.draws + score.losses)
    // H1 needs evidence of 20 against 0 Elo, an end of the interval 40.
    expect(elo.low).toBeGreaterThan(-20)
    expect(elo.rating).toBeGreaterThan(100)
  })

  it('needs no options, and tells beforehand about how long it takes', async () => {
    const ended = await duel('Abacus', 'random.ts', '--seed', '2', '--json')
    expect(documentOf(ended)).toMatchObject({ decision: 'H1', elo0: 0, elo1: 50, expected: 360 })
    expect(ended.stderr).toContain('0 or 50 Elo? About 360 matches if either is true, fewer beyond, more between.')
  })

  it('learns nothing from the same game again and again, and says so', async () => {
    const same = ['sh bow.sh', 'sh bow.sh', '--sprt', '0', '50', '--budget', '9']
    const { decision, matches, distinct, pentanomial, second } = documentOf(await duel(...same, '--json'))
    expect([decision, matches, distinct, second]).toEqual(['undecided', 8, 1, 'bow.sh (2)'])
    expect(pentanomial).toEqual([0, 0, 4, 0, 0])
    expect((await duel(...same)).stdout).toMatch(/: undecided between 0 Elo .*\n\n8 matches: .*\nOnly 1 of them is no/)
  })

  it('has no more bots on the clock at once than there are cores, and says so where more are asked for', async () => {
    const log = place.path('log')
    place.write('slow.sh', `echo 1 >>'${log}'\nsleep 0.03\necho -1 >>'${log}'\necho B\n`)
    const cores = availableParallelism()
    const slow = async (...more: string[]): Promise<{ most: number; stderr: string }> => {
      rmSync(log, { force: true })
      const budget = String(4 * cores)
      const args = [
        'sh slow.sh',
        'sh slow.sh',
        '--sprt',
        '0',
        '50',
        '--budget',
        budget,
        '--unsafe-no-isolation',
        ...more,
      ]
      const { status, stderr } = await place.agon(['duel', 'samurai', ...args, '--option', 'turns=4'])
      expect(status, stderr).toBe(0)
      let running = 0
      const levels = readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((step) => (running += Number(step)))
      return { most: Math.max(...levels), stderr }
    }
    const plain = await slow()
    expect(plain.most).toBe(cores)
    expect(plain.stderr).not.toContain('--jobs')
    const more = await slow('--jobs', String(2 * cores))
    expect(more.most).toBeGreaterThan(cores)
    expect(more.stderr).toContain(`--jobs ${2 * cores}: more bots are timed at once than there are cores (${cores})`)
  })

  it.each([
    [['Abacus', 'Dice', '--sprt', '20', '0'], /--sprt takes two numbers, elo0 and elo1, the first below the second/],
    [['Abacus', 'Dice', '--sprt', '20'], /--sprt takes two numbers/],
    [['Abacus', 'Dice', '--sprt', '0,x'], /It takes two numbers/],
    [['Abacus', 'Dice', '--sprt', '0,9', '--alpha', '2'], /must be above 0 and below 0\.5/],
    [['Abacas', 'Dice', '--sprt', '0,9'], /did you mean "Abacus"/],
  ])('refuses %j', async (args, message) => {
    const { status, stdout, stderr } = await duel(...args)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })

  it('is for games of two', async () => {
    const { status, stderr } = await place.agon(['duel', 'negotiate', 'Weaver', 'Raffle', '--sprt', '0', '9'])
    const why = 'negotiate is played by 4, and a duel is between two: a contest (agon run) finds out who is better'
    expect([status, stderr]).toEqual([2, `agon: ${why}\n`])
  })
})
