import { describe, expect, it, test } from 'vitest'
import { type Memory, moduleWire } from '../core/index.js'
import { HostError, StderrTail } from '../sandbox/index.js'
import { ModuleBot } from './module.js'
import { modulePlayer } from './module-player.js'

/** A bot that says how often it was asked since its loading, and how often it was loaded. */
function counter(memory: Memory): ModuleBot {
  let loads = 0
  return botOf(async () => {
    const life = ++loads
    let calls = 0
    return () => `${life}.${++calls}`
  }, memory)
}

function botOf(load: () => Promise<() => string>, memory: Memory = 'match'): ModuleBot {
  const life = {
    name: 'counter',
    wire: moduleWire(),
    memory,
    key: 'k',
    seed: () => 1,
    outputBytes: 1000,
    updateLimit: 1000,
    stderr: new StderrTail(),
    note: () => undefined,
  }
  return new ModuleBot(life, load)
}

async function twoMatches(bot: ModuleBot): Promise<(string | undefined)[]> {
  const outputs: (string | undefined)[] = []
  for (const key of ['one', 'two']) {
    await bot.begin(key)
    for (let i = 0; i < 2; i++)
      outputs.push((await bot.ask({ number: i, view: {}, input: {}, limit: 1000 })).output.out)
    bot.end()
  }
  return outputs
}

test('a module that cannot be loaded owes a crash for each answer, but not where this machine has run out of something', async () => {
  const question = { number: 0, view: {}, input: {}, limit: 1000 }
  const broken = botOf(() => Promise.reject(new SyntaxError('what is this')))
  await broken.begin('k')
  expect((await broken.ask(question)).output).toEqual({
    trouble: 'crash',
    why: 'could not be started: SyntaxError: what is this',
  })
  const full = Object.assign(new Error('open /somewhere'), { code: 'EMFILE' })
  await expect(botOf(() => Promise.reject(full)).begin('k')).rejects.toThrow(HostError)
})

test('a module is given the legal actions where it takes them, and they are not worked out for one that does not', async () => {
  const legal = (): readonly string[] => ['x', 'y']
  const refuse = (): readonly string[] => {
    throw new Error('nobody wants to know')
  }
  const takes = modulePlayer((_view, _chance, actions) => actions.join(''))
  const plain = modulePlayer(() => 'z')
  await Promise.all([takes.begin(''), plain.begin('')])
  const question = { number: 0, view: {}, input: {}, limit: 1000 }
  expect((await takes.ask({ ...question, legal })).output).toEqual({ out: 'xy' })
  expect((await plain.ask({ ...question, legal: refuse })).output).toEqual({ out: 'z' })
})

test('what a module writes into a list of its view reaches no other bot, and is no fault', async () => {
  const bot = modulePlayer((view) => {
    const { board } = view as { board: number[] }
    board.sort((a, b) => b - a)
    return String(board[0])
  })
  await bot.begin('')
  const view = { board: [1, 3, 2] }
  expect((await bot.ask({ number: 0, view, input: {}, limit: 1000 })).output).toEqual({ out: '3' })
  expect(view.board).toEqual([1, 3, 2])
  expect(Object.isFrozen(view.board)).toBe(false)
})

describe('the variables of a module', () => {
  it.each(['turn', 'match'] as const)('are new for each match with memory %s', async (memory) => {
    expect(await twoMatches(counter(memory))).toEqual(['1.1', '1.2', '2.1', '2.2'])
  })
  it.each(['series', 'tournament'] as const)('live on with memory %s', async (memory) => {
    expect(await twoMatches(counter(memory))).toEqual(['1.1', '1.2', '1.3', '1.4'])
  })
})
