import { describe, expect, it } from 'vitest'
import { type Memory, moduleWire } from '../core/index.js'
import { StderrTail } from '../sandbox/index.js'
import { ModuleBot } from './module.js'

/** A bot that says how often it was asked since it was loaded, and how often it was loaded. */
function counter(memory: Memory): ModuleBot {
  let lives = 0
  const load = async () => {
    const life = ++lives
    let calls = 0
    return () => `${life}.${++calls}`
  }
  const life = {
    name: 'counter',
    wire: moduleWire(),
    memory,
    key: 'k',
    seed: () => 1,
    output: 1000,
    told: 1000,
    stderr: new StderrTail(),
    note: () => undefined,
  }
  return new ModuleBot(life, load)
}

async function twoMatches(bot: ModuleBot): Promise<(string | undefined)[]> {
  const said: (string | undefined)[] = []
  for (const key of ['one', 'two']) {
    await bot.begin(key)
    for (let i = 0; i < 2; i++) said.push((await bot.ask({ number: i, view: {}, say: {}, limit: 1000 })).heard.out)
    await bot.end()
  }
  return said
}

describe('the variables of a module', () => {
  it.each(['turn', 'match'] as const)('are new for each match with memory %s', async (memory) => {
    expect(await twoMatches(counter(memory))).toEqual(['1.1', '1.2', '2.1', '2.2'])
  })
  it.each(['series', 'tournament'] as const)('live on with memory %s', async (memory) => {
    expect(await twoMatches(counter(memory))).toEqual(['1.1', '1.2', '1.3', '1.4'])
  })
})
