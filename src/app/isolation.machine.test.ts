import { expect, it, vi } from 'vitest'
import { flagOf } from './flag.js'
import { findBotIsolation } from './machine.js'

it("says what a stranger's bot lacks to whoever can mend it: on a site there is no way without a sandbox", async () => {
  // A machine without bubblewrap.
  vi.stubEnv('PATH', '/nowhere')
  const context = { workspace: '/nowhere', notice: () => undefined, spell: flagOf }
  const stranger = [{ house: false }]
  const here = await findBotIsolation({}, stranger, context)
  const ofSite = await findBotIsolation({}, stranger, { ...context, sandboxesOnly: true })
  const needs = "^it is a stranger's bot, and its sandbox needs (?:bubblewrap|a C compiler.*), which"
  expect(here.refusal).toMatch(RegExp(`${needs} this machine lacks: .*, or --unsafe-no-isolation for a bot that you`))
  expect(ofSite.refusal).toMatch(
    RegExp(`${needs} the machine of this site lacks: its host can mend that \\([^()]*\\)$`),
  )
})
