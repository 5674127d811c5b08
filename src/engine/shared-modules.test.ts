import { expect, it } from 'vitest'
import type { SeatedBot, SharedModule } from '../bots/index.js'
import type { BotFactory, Seatable } from './entrant.js'
import { SharedModules } from './shared-modules.js'

type Process = Pick<SharedModule, 'lost' | 'retired' | 'users' | 'made'> & { closed: boolean; close(): Promise<void> }

/** Processes whose lives begin as soon as they are seated. */
function modules(lives: number) {
  const processes: Process[] = []
  const shared = (): Process => {
    const process: Process = {
      lost: undefined,
      retired: undefined,
      users: 0,
      made: 0,
      closed: false,
      close: async () => void (process.closed = true),
    }
    processes.push(process)
    return process
  }
  const sharing = (process: Process): SeatedBot => {
    process.users++
    process.made++
    return { close: async () => void process.users-- } as unknown as SeatedBot
  }
  const factory = { shared, sharing } as unknown as BotFactory
  return { processes, made: new SharedModules(factory, undefined, lives) }
}

it('another process takes the place of one in which many lives were begun, which ends with its last life', async () => {
  const { processes, made } = modules(3)
  const seat = (): SeatedBot => made.bot({ name: 'Ant' } as Seatable, 'life') as SeatedBot
  const [first, second, third, fourth] = [seat(), seat(), seat(), seat()]
  expect(processes.map(({ made: lives }) => lives)).toEqual([3, 1])
  await first.close()
  await second.close()
  made.tidy()
  expect(processes[0]?.closed).toBe(false)
  await third.close()
  made.tidy()
  expect(processes.map(({ closed }) => closed)).toEqual([true, false])
  await fourth.close()
  await made.close()
  expect(processes[1]?.closed).toBe(true)
})

it('those that still have lives end when all do', async () => {
  const { processes, made } = modules(1)
  made.bot({ name: 'Ant' } as Seatable, 'life')
  made.bot({ name: 'Ant' } as Seatable, 'life')
  await made.close()
  expect(processes.map(({ closed }) => closed)).toEqual([true, true])
})
