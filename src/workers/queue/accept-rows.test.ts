import { expect, it } from 'vitest'
import { acceptWorkers } from './accept-rows.js'
import { MOST_SLOTS } from './board-rows.js'

const row = {
  id: 'one',
  host: 'here',
  pid: 1,
  agon: 'test',
  cores: 2,
  slots: 4,
  labels: [],
  toolchains: {},
  isolation: 'cells',
  playing: [],
  matches: 0,
  faults: 0,
  aside: null,
  since: new Date(0),
  heard: new Date(0),
  silent: 0,
}

it('a worker counts for no more slots than a machine has, whatever it announces', () => {
  const slots = (announced: number) => acceptWorkers([{ ...row, slots: announced }]).map((one) => one.slots)
  expect([slots(4), slots(1e9), slots(-1)]).toEqual([[4], [MOST_SLOTS], []])
})
