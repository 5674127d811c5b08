import { expect, it } from 'vitest'
import { hostsOf, refuseAddress } from './serve.js'

it('a site with a public address answers to no other name, wherever it listens', () => {
  for (const host of ['127.0.0.1', '0.0.0.0', '192.168.1.7'])
    expect([...(hostsOf(host, 'https://agon.example.org') ?? [])]).toEqual(['agon.example.org'])
  expect(hostsOf('127.0.0.1', undefined)).toContain('localhost')
  expect(hostsOf('0.0.0.0', undefined)).toBeUndefined()
})

it.each(['https://a.org/agon', 'https://a.org/?x=1', 'https://a.org/#x', 'https://ann@a.org', 'https://ann:b@a.org'])(
  'the public address %s is refused',
  (url) => expect(() => refuseAddress(url)).toThrow('such as https://a.org'),
)
it.each(['https://a.org', 'http://a.org:8080/'])('the public address %s is taken', (url) =>
  expect(() => refuseAddress(url)).not.toThrow(),
)
