import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PROGRAMS, testServer } from './postgres.js'

describe.runIf(PROGRAMS !== undefined)('the server of tests', () => {
  it('makes databases, has them again after a crash, and leaves nothing behind', async () => {
    const server = await testServer()
    const [one, two] = [await server.database(), await server.database()]
    expect(one).not.toBe(two)
    const name = one.split('/').at(-1) ?? ''
    await server.query(name, 'create table a as select 1 as n')
    await server.crash()
    await expect(server.query(name, 'select 1')).rejects.toThrow(/ECONNREFUSED/)
    await server.up()
    expect(await server.query(name, 'select n from a')).toEqual([{ n: 1 }])
    // As when this process ends: the holder's input ends.
    await server.stop()
    expect(existsSync(server.folder)).toBe(false)
  }, 300_000)
})
