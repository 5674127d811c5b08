import { describe, expect, it } from 'vitest'
import { leaveRun } from './leave-run.js'

describe('the end of a run', () => {
  it('is told to its own worker as soon as others may see it, and before they are waited for', async () => {
    const steps: string[] = []
    const step =
      <Value>(name: string, value: (n: number) => Value) =>
      (): Promise<Value> => {
        steps.push(name)
        return Promise.resolve(value(steps.filter((one) => one === name).length))
      }
    const nothing = (): undefined => undefined
    const written = await leaveRun(
      {
        run: 'run',
        board: {
          end: step('end', nothing),
          hasPlaces: step('places', (n) => n < 3),
          written: step('written', () => new Map([['Ant', 'oh']])),
          unpost: step('unpost', nothing),
        },
        batches: { clear: step('clear', nothing), remove: step('remove', nothing) },
        onEnded: () => void steps.push('told'),
      },
      ['one'],
    )
    expect(steps).toEqual(['clear', 'end', 'told', 'places', 'places', 'places', 'written', 'unpost', 'remove'])
    expect(written).toEqual(new Map([['Ant', 'oh']]))
  })
})
