import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TestSite } from '../../../test/site/site.js'

/* What is asked for in the moment in which a site ends. */

let site: TestSite
let token: string
beforeEach(async () => {
  site = await TestSite.open()
  token = site.host
})
afterEach(() => site.remove())

const stateOf = async (id: string): Promise<string | undefined> => site.services.site.site.contest(id)?.state
const control = async (id: string, verb: string): Promise<number> =>
  (await site.ask('POST', `/contests/${id}/${verb}`, { token })).status

/** Asks for something, ends the site in the moment in which that is written down, and opens it again. */
async function askAndEnd(id: string, verb: string): Promise<void> {
  const store = site.services.site.site
  const change = store.changeContest.bind(store)
  let closed: Promise<void> | undefined
  store.changeContest = (...words) => {
    site.app.close()
    closed ??= site.services.close(asked)
    return change(...words)
  }
  const asked = control(id, verb)
  expect(await asked).toBe(200)
  await closed
  expect(site.notices).toEqual([])
  site = await TestSite.open({}, site.workspace)
}

describe('a site that ends', () => {
  it('writes down a start that it was asked for, and plays the contest once it begins again', async () => {
    const id = await site.contest(1)
    await askAndEnd(id, 'start')
    await site.until(async () => (await stateOf(id)) === 'finished')
  })

  it('writes down a pause, and that a contest is to go on', async () => {
    const id = await site.contest(2000)
    expect(await control(id, 'start')).toBe(200)
    await askAndEnd(id, 'pause')
    expect(await stateOf(id)).toBe('paused')
    await askAndEnd(id, 'resume')
    expect(await stateOf(id)).toBe('playing')
    expect(await control(id, 'pause')).toBe(200)
  })

  it('begins to play nothing more', async () => {
    const id = await site.contest(1)
    const { runner, site: context } = site.services
    await runner.close()
    runner.start(id)
    await runner.close()
    expect(await context.store.runs()).toEqual([])
    expect([await stateOf(id), site.notices]).toEqual(['playing', []])
  })
})
