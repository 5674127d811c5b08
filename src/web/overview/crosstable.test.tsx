// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { moveAmongCells } from './crosstable.js'

afterEach(cleanup)

it('arrow keys go from a cell’s link to the next in their direction, over cells without one, and no farther than the table', () => {
  // Nobody meets themselves, and the second has not met the third.
  const met = ['.ab', 'c..', 'd..']
  render(
    <table onKeyDown={moveAmongCells}>
      <thead>
        <tr>
          <th>
            <a href="#name">name</a>
          </th>
        </tr>
      </thead>
      <tbody>
        {met.map((row) => (
          <tr key={row}>
            <th>
              <a href="#row">row</a>
            </th>
            {[...row].map((cell, i) => (
              <td key={i}>{cell !== '.' && <a href="#cell">{cell}</a>}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>,
  )
  screen.getByText('a').focus()
  const seen = ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp', 'ArrowLeft'].map((key) => {
    fireEvent.keyDown(document.activeElement as Element, { key })
    return document.activeElement?.textContent
  })
  expect(seen).toEqual(['b', 'b', 'a', 'a', 'a', 'a'])
  screen.getByText('c').focus()
  const down = ['ArrowDown', 'ArrowDown', 'ArrowUp', 'Enter'].map((key) => {
    fireEvent.keyDown(document.activeElement as Element, { key })
    return document.activeElement?.textContent
  })
  expect(down).toEqual(['d', 'd', 'c', 'c'])
})
