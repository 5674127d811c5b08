import { describe, expect, it } from 'vitest'
import { UserError } from '../core/index.js'
import { storeUrl, withoutPassword } from './workspace.js'

const urlOf = (name: string): string => `postgres://ann:secret@db.example:5432/${name}`

describe('the store’s server', () => {
  it.each([
    ['the option before all', urlOf('a'), { AGON_STORE: urlOf('b'), DATABASE_URL: urlOf('c') }, 'a'],
    ['AGON_STORE next', undefined, { AGON_STORE: urlOf('b'), DATABASE_URL: urlOf('c') }, 'b'],
    ['DATABASE_URL last', undefined, { DATABASE_URL: urlOf('c') }, 'c'],
    ['an empty word is none', '', { AGON_STORE: '', DATABASE_URL: urlOf('c') }, 'c'],
  ])('is named by %s', (_, given, env, name) => {
    expect(new URL(storeUrl(given, env)!).pathname).toBe(`/${name}`)
  })

  it.each([
    ['nothing is named', undefined, {}],
    ['the option says "workspace", whatever the environment says', 'workspace', { AGON_STORE: urlOf('b') }],
    [
      'AGON_STORE says it, whatever DATABASE_URL says',
      undefined,
      { AGON_STORE: 'workspace', DATABASE_URL: urlOf('c') },
    ],
  ])('is the workspace’s own file where %s', (_, given, env) => {
    expect(storeUrl(given, env)).toBeUndefined()
  })

  it('is refused where it is no URL of PostgreSQL, by the name of the place, and without its password', () => {
    const open = () => storeUrl(undefined, { AGON_STORE: 'mysql://ann:secret@db.example/a' })
    expect(open).toThrow(UserError)
    expect(open).toThrow(/AGON_STORE/)
    expect(open).not.toThrow(/secret/)
  })

  it('is shown without its password, so that it can be typed again', () => {
    expect(withoutPassword(urlOf('a'))).toBe('postgres://ann:PASSWORD@db.example:5432/a')
    expect(withoutPassword('postgres://db.example/a')).toBe('postgres://db.example/a')
    expect(withoutPassword('a.db')).toBe('a.db')
  })
})
