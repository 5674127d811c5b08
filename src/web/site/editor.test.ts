import { describe, expect, it } from 'vitest'
import { FIELDS, valueIn, withValue } from './editor.js'

const FILE = `title = "T"
turn = 3 # no limit

[limits] # of all
output = 4_096   # bytes

[[entrants]]
house = "Abacus"
turn = 7`
const place = (name: string) => FIELDS.find(({ key }) => key === name) ?? expect.fail(name)
const [turn, output] = [place('turn'), place('output')]

describe('a value in a contest file', () => {
  it('is found in its table alone', () => {
    expect([valueIn(FILE, output), valueIn(FILE, turn), valueIn('', turn)]).toEqual(['4096', undefined, undefined])
    expect([valueIn(FILE, place('title')), valueIn(FILE, place('signup'))]).toEqual(['T', undefined])
  })

  it('is changed, added and taken out, and nothing else is touched', () => {
    const changed = withValue(FILE, output, '100')
    expect(changed).toBe(FILE.replace('4_096', '100'))
    expect(withValue(FILE, output, '')).toBe(FILE.replace('output = 4_096   # bytes\n', ''))
    const added = withValue(FILE, turn, '500')
    expect(added).toBe(FILE.replace('# of all\n', '# of all\nturn = 500\n'))
    expect(valueIn(added, turn)).toBe('500')
    expect(withValue(FILE, turn, 'x')).toBe(FILE)
  })

  it('gets a table where there is none, before the entrants', () => {
    const bare = 'title = "T"\n[[entrants]]\nhouse = "Abacus"'
    expect(withValue(bare, turn, '5')).toBe('title = "T"\n[limits]\nturn = 5\n\n[[entrants]]\nhouse = "Abacus"')
    expect(valueIn(withValue('title = "T"', turn, '5'), turn)).toBe('5')
  })

  it('of no table stands above all tables, and a text is any text', () => {
    const notice = place('notice')
    const said = 'Say "hi" $&\nto C:\\ all'
    const set = withValue(FILE, notice, said)
    expect(set.split('\n')[2]).toMatch(/^notice = "Say/)
    expect(valueIn(set, notice)).toBe(said)
    expect(withValue(withValue(set, notice, 'b'), notice, '')).toBe(FILE)
    expect(withValue('[format]', place('signup'), 'true')).toBe('signup = true\n[format]')
  })

  it('that a field cannot show is left as it is', () => {
    const odd = "title = 'single'\n"
    expect(valueIn(odd, place('title'))).toBeUndefined()
    expect(withValue(odd, place('title'), 'x')).toBe(odd)
  })
})
