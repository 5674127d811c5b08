import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { type CardScene, CardTable } from './card-table.js'
import type { BoardProps } from './types.js'

/** Height of small letters above their line. */
const LETTERS = 12

it('shows what was said below the bubbles, whatever is in them', () => {
  const seats = ['Ant', 'Bee'].map((name, seat) => ({ seat, name, color: seat }))
  const said = 'round 1: call, raise, raise, call; round 2: call, raise, raise'
  const scene = { cards: ['K', 'K'], table: 'Q', chips: [13, 9], said }
  const page = renderToStaticMarkup(
    <CardTable
      {...({
        scene,
        seats,
        order: [0, 1],
        moves: [{ fault: 'unparsable' }, 'raise'],
      } as unknown as BoardProps<CardScene>)}
    />,
  )
  const bubbles = [
    ...page.matchAll(
      /class="bubble \w+" transform="translate\(\d+ (\d+)\)"><rect [^>]*y="(-?\d+)"[^>]*height="(\d+)"/g,
    ),
  ]
  expect(bubbles).toHaveLength(2)
  const [, line] = new RegExp(`<text [^>]*y="(\\d+)"[^>]*>${said}`).exec(page) ?? []
  const [, felt, height] = /class="felt"[^>]* y="(\d+)"[^>]* height="(\d+)"/.exec(page) ?? []
  for (const [, y, top, tall] of bubbles)
    expect(Number(y) + Number(top) + Number(tall)).toBeLessThan(Number(line) - LETTERS)
  expect(Number(line)).toBeLessThan(Number(felt) + Number(height))
})
