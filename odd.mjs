const fine = {
  id: 'odd', version: 1, seats: { min: 2, max: 2 }, options: {},
  setup: () => ({ n: 0 }),
  toMove: (s) => (s.n < 4 ? [s.n % 2] : []),
  view: (s) => ({ n: s.n }),
  legal: () => ['a', 'b'],
  play: (s) => ({ n: s.n + 1 }),
  outcome: (s) => (s.n < 4 ? undefined : { place: [1, 1], reason: 'end' }),
}

export default { game: fine, title: 'Odd', summary: '' }
