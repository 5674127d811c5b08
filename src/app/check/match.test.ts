import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isRunning, sleeperIn } from '../../../test/kit/sleeper.js'
import { type Answer, type GameDefinition, type Player, UserError, allActions } from '../../core/index.js'
import { judge } from '../../match/index.js'
import { gameNamed } from '../look/games.js'
import { type ExtraPlayer, type MatchEvent, hostMatch } from './match.js'

const workspace = mkdtempSync(join(tmpdir(), 'agon-match-'))
afterAll(() => rmSync(workspace, { recursive: true, force: true }))

const context = { workspace: join(workspace, 'agon'), notice: () => undefined }
const gunduel = (): Promise<GameDefinition> => gameNamed('gunduel')
/** House modules of the gun duel, in this process. */
const BOTS = ['Storm', 'Weathercock']

describe('a match of two bots', () => {
  it('tells who sits down, each step, and what came of it', async () => {
    const definition = await gunduel()
    const news: MatchEvent[] = []
    const terms = { seed: '7', options: { turns: 20 }, noIsolation: true }
    const played = await hostMatch(definition, BOTS, { ...terms, on: (one) => news.push(one) }, context)
    const steps = news.flatMap((one) => (one.type === 'step' ? [one.step] : []))
    expect(news[0]).toMatchObject({ type: 'began', names: BOTS, seed: '7' })
    expect(steps.map(({ number }) => number)).toEqual(played.record.steps.map((_, i) => i))
    expect(news).toHaveLength(steps.length + 1)
    expect(played.record.options['turns']).toBe(20)
    const { moves, faults, outcome } = judge(definition, played.record)
    expect(played).toMatchObject({ names: BOTS, moves, faults, stderr: ['', ''] })
    expect(played.record.outcome).toEqual(outcome)
  })

  it('is the same by the same seed, and another by a secret one', async () => {
    const definition = await gunduel()
    const seedOf = async (seed?: string) => {
      const { record } = await hostMatch(definition, BOTS, { noIsolation: true, seed }, context)
      return [record.luck.seed, JSON.stringify(record.steps)]
    }
    expect(await seedOf('1')).toEqual(await seedOf('1'))
    expect((await seedOf())[0]).not.toBe((await seedOf())[0])
  })

  it.each([
    [['Storm', 'Stork'], {}, /^no bot "Stork" \(did you mean "Storm"\?\)/],
    [['Storm'], {}, /^gunduel cannot be played so: a gun duel has two seats, not 1$/],
    [BOTS, { options: { turns: 0 } }, /^gunduel cannot be played so: turns/],
    [BOTS, { options: { turn: 3 } }, /^unknown option "turn" \(did you mean "turns"\?\)/],
    [BOTS, { limits: { trun: 3 } }, /^unknown limit "trun" \(did you mean "turn"\?\)/],
    [BOTS, { wires: ['morse'] }, /^unknown wire "morse"/],
    [BOTS, { wires: ['exit', 'lines', 'exit'] }, /3 wires for 2 bots: give one for all, or one for each/],
  ])('of %j with %j is a mistake', async (bots, terms, message) => {
    const asked = hostMatch(await gunduel(), bots, { noIsolation: true, ...terms }, context)
    await expect(asked).rejects.toThrow(UserError)
    await expect(asked).rejects.toThrow(message)
  })
})

it('a bot that does not answer is ended with the signal', async () => {
  const controller = new AbortController()
  const sleeper = sleeperIn(workspace)
  const terms = { noIsolation: true, limits: { turn: 600_000 } }
  const bots = [sleeper.command, 'Abacus']
  const played = hostMatch(await gameNamed('samurai'), bots, terms, { ...context, signal: controller.signal })
  const ended = played.catch((error: unknown) => error)
  const pid = await sleeper.asked()
  controller.abort(new Error('given up'))
  expect(await ended).toEqual(new Error('given up'))
  expect(isRunning(pid)).toBe(false)
})

/** Makes the first legal move. */
class Hand implements Player {
  dismissed = 0

  constructor(
    private readonly definition: GameDefinition,
    private readonly asked: (number: number) => void = () => undefined,
  ) {}
  async begin(): Promise<void> {}
  async ready(): Promise<Answer> {
    return { output: {}, wallUs: 0 }
  }
  send(): void {}
  async ask({ view, number }: Parameters<Player['ask']>[0]): Promise<Answer> {
    this.asked(number)
    return { output: { out: allActions(this.definition.game.legal(view))[0] ?? '' }, wallUs: 0 }
  }
  dismiss(): void {
    this.dismissed++
  }
  async end(): Promise<void> {}
}

describe('a match with a guest', () => {
  it('gives the seat behind the bots to the guest', async () => {
    const definition = await gunduel()
    const seats: number[] = []
    const guest: ExtraPlayer = {
      name: 'you',
      sit: (seat) => {
        seats.push(seat)
        return new Hand(definition)
      },
    }
    const { names, record } = await hostMatch(definition, ['Storm'], { noIsolation: true, guest }, context)
    expect([seats, names, record.seats[1]?.wire]).toEqual([[1], ['Storm', 'you'], 'module'])
  })

  it('ends when the signal is aborted, by the reason of the signal, and no step is reported afterwards', async () => {
    const definition = await gunduel()
    const controller = new AbortController()
    const steps: number[] = []
    const hand = new Hand(definition, (number) => {
      if (number === 1) controller.abort(new Error('given up'))
    })
    const asked = hostMatch(
      definition,
      ['Weathercock'],
      {
        noIsolation: true,
        seed: '1',
        on: (news) => {
          if (news.type === 'step') steps.push(news.step.number)
        },
        guest: { name: 'you', sit: () => hand },
      },
      { ...context, signal: controller.signal },
    )
    await expect(asked).rejects.toThrow('given up')
    expect([hand.dismissed, steps]).toEqual([1, [0]])
  })
})
