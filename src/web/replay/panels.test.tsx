// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { type ReplayNow, ReplayProvider, wordsOf } from './match.js'
import { Players } from './panels.js'

afterEach(cleanup)

it('a player’s panel shows what its clock has left, and nothing of a clock without a bank', () => {
  const seats = ['Ant', 'Bee'].map((name, seat) => ({ seat, name, wire: 'jsonl', limit: 1000 }))
  const still = { state: undefined, moves: [null, null], times: [undefined, undefined] }
  const panels = (left?: readonly (readonly number[])[]) => {
    const match = {
      seats,
      film: { frames: [still] },
      left,
      rows: [],
      scenes: [],
      tallies: [],
      record: { outcome: { place: [] } },
    }
    return (
      <ReplayProvider
        value={{ ...match, words: wordsOf(undefined, undefined, []), turn: 0, over: false } as unknown as ReplayNow}
      >
        <Players />
      </ReplayProvider>
    )
  }
  const { rerender } = render(panels([[59_990, 1.5]]))
  expect(screen.getAllByText('left').map(({ nextSibling }) => nextSibling?.textContent)).toEqual(['59.99 s', '1.5 ms'])
  rerender(panels())
  expect(screen.queryByText('left')).toBeNull()
})
