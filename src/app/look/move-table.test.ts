import { describe, expect, it } from 'vitest'
import { type GameDefinition, type Move, shownSeats } from '../../core/index.js'
import { games } from '../../games/index.js'
import { type MoveTable, actionText, boardText, moveTable } from './move-table.js'

const samurai = games.find(({ game }) => game.id === 'samurai') as GameDefinition
/** A game whose state is its figures. */
const plain = {
  actions: { a: 'attack', w: 'w wait' },
  figures: (state: readonly string[], seat: number) => state[seat] ?? '',
} as unknown as GameDefinition
const crash: Move<string> = { fault: 'crash', why: 'exit 3' }

describe('an action', () => {
  it('has its meaning beside it, unless that begins with it', () => {
    expect(actionText(plain, 'a')).toBe('a attack')
    expect(actionText(plain, 'w')).toBe('w wait')
    expect(actionText(plain, 'x\u0007')).not.toContain('\u0007')
    expect(actionText(plain, 'z')).toBe('z')
  })
})

describe('a list of moves', () => {
  const table = (columns: number, names = ['Ant', 'Bee']): MoveTable =>
    moveTable(
      plain,
      names,
      names.map(() => '10'),
      columns,
    )

  it('has a row for each turn and a column for each seat, counted from 1', () => {
    const wide = table(100)
    expect(wide.head()).toBe(' turn  Ant                 Bee')
    expect(wide.turn(0, ['a', 'w'], ['9', '10'])).toBe('    1  a attack      9     w wait        10')
    expect(wide.turn(11, ['w', null], ['9', '8'])).toBe('   12  w wait        9     ·             8')
  })

  it('shows what a clock has left beside what matters', () => {
    const wide = table(100)
    expect(wide.turn(0, ['a', 'w'], ['9', '10'], [59_990, 1234])).toMatch(
      /^ {4}1 {2}a attack +9, 59\.99 s left +w wait +10, 1\.23 s left$/,
    )
  })

  it('tells a fault in full below the row', () => {
    const [row, fault] = table(100).turn(0, [crash, 'w'], ['9', '10']).split('\n')
    expect(row).toContain('! crash')
    expect(fault).toMatch(/^ {7}! Ant.*crash.*exit 3/)
  })

  it('has a row for each seat that moved where it would be too wide', () => {
    const tall = table(30)
    expect(tall.head()).toBe('')
    expect(tall.turn(2, ['a', null], ['9', '10']).split('\n')).toEqual(['turn 3', '       Ant   a attack      9'])
  })

  it('is never wider than a screen: many seats are listed below each other, whatever the terminal has', () => {
    const names = Array.from({ length: 12 }, (_, i) => `Bot ${i}`)
    expect(table(1000, names).head()).toBe('')
    expect(table(1000, names.slice(0, 4)).head()).not.toBe('')
  })
})

describe('a position', () => {
  it('is the game’s own picture, else its JSON', () => {
    const { game, board } = samurai
    const state = game.setup(2, game.options, { seed: '', at: 0 })
    expect(boardText(samurai, state, [])).toBe(board?.(state, shownSeats([])))
    expect(boardText({ board: () => 'x\u001b\ny' } as unknown as GameDefinition, undefined, [])).not.toContain('\u001b')
    expect(boardText({} as GameDefinition, { left: 3 }, [])).toBe('{"left":3}')
  })
})
