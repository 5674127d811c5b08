import { expect, it } from 'vitest'
import { UserError } from '../../core/index.js'
import { parseAddress } from './address.js'

it.each([
  ['postgres://agon:SECRET@db.example/agon', 'postgres://agon@db.example:5432/agon'],
  ['postgresql://agon:SE%40CRET@127.0.0.1:6000/agon', 'postgres://agon@127.0.0.1:6000/agon'],
  ['postgres://agon@db.example/agon?password=SECRET', 'postgres://agon@db.example:5432/agon'],
  ['postgres://agon:SECRET@[::1]:6000/agon', 'postgres://agon@[::1]:6000/agon'],
  ['postgres://agon:SECRET@%2Fvar%2Frun/agon', 'postgres://agon@%2Fvar%2Frun:5432/agon'],
  ['postgres:///agon?host=/var/run&user=agon&password=SECRET', 'postgres://localhost:5432/agon'],
  ['postgres://agon:SECRET@db.example', 'postgres://agon@db.example:5432/agon'],
])('names %s without its password', (url, where) => {
  expect(parseAddress(url)).toMatchObject({ url, where })
})

// Each of them can be read as a URL in which a part of the password is a port, a path or a fragment.
it.each([
  'postgres:agon:SECRET@db.example/agon',
  'postgres:/agon:SECRET@db.example/agon',
  'postgres:///agon:SECRET@db.example/agon',
  'postgres://agon:12/SECRET@db.example/agon',
  'postgres://agon:12#SECRET@db.example/agon',
  'postgres://agon:SEC/RET@db.example/agon',
  'host=db.example password=SECRET',
])('refuses %s, and repeats nothing of it', (url) => {
  const refused = (): unknown => parseAddress(url)
  expect(refused).toThrow(UserError)
  expect(refused).toThrow(/^the option "store" is no URL: write postgres:\/\/USER:PASSWORD@HOST:PORT\/DATABASE/)
  expect(refused).not.toThrow(/SEC|RET|12/)
})
