// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { RatedSoFar } from './standings.js'

afterEach(cleanup)

it.each([
  [undefined, ''],
  [1300, ''],
  [0, 'Ratings and chances are being computed.'],
  [1200, 'Ratings, chances and rounds rest on 1,200 of 1,300 matches and are computed again every few seconds.'],
])('ratings say on how many matches they rest where these are not all: %s', (rated, text) => {
  const { container } = render(
    <RatedSoFar total={1300} kept={1300} pack={1} positions={false} drawn={undefined} rated={rated} />,
  )
  expect(container.textContent).toBe(text)
})
