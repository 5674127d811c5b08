// Takes the pictures of docs/report.md: plays small contests of the house bots, opens their reports in Chromium and looks at them.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MatchRecord } from '../src/core/index.js'
import { openEyes } from '../test/e2e/browser.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'agon-pictures-'))
const images = join(root, 'docs', 'images')

/** Runs a contest and returns its archive. */
function play(game: string, matches: number): string {
  const out = join(folder, game)
  const words = ['run', game, '--seed', '5', '--matches', String(matches), '--out', out]
  const { status } = spawnSync(process.execPath, [join(root, 'dist/bundle/main.js'), ...words], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, AGON_WORKSPACE: join(folder, 'workspace') },
  })
  if (status !== 0) throw new Error(`agon ${words.join(' ')} ended with ${status}`)
  return out
}

/** The address of the longest match that is not longer than so many turns, a part of the way through it. */
function middle(archive: string, most: number, part: number): string {
  const records = readFileSync(join(archive, 'records.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as MatchRecord)
  const fitting = records.filter(({ steps }) => steps.length <= most)
  const [longest = records[0]] = fitting.sort((a, b) => b.steps.length - a.steps.length)
  const turn = Math.round((longest?.steps.length ?? 0) * part)
  return `#match=${encodeURIComponent(longest?.key ?? '')}&turn=${turn}`
}

const archives = {
  coup: play('coup', 4),
  gunduel: play('gunduel', 10),
  samurai: play('samurai', 2),
  stronger: play('stronger', 2),
  negotiate: play('negotiate', 1),
}
const eyes = await openEyes()
const picture = async (name: string, game: keyof typeof archives, hash: string, look: object = {}): Promise<void> => {
  const page = await eyes.open(join(archives[game], 'report.html'), hash, {
    width: 1200,
    height: 820,
    still: true,
    ...look,
  })
  await page.waitForTimeout(300)
  await page.screenshot({ path: join(images, `report-${name}.png`) })
  await page.close()
}
await picture('standings', 'coup', '', { height: 1060 })
await picture('crosstable', 'gunduel', '#at=crosstable&bot=Tightrope')
await picture('rounds', 'gunduel', '#at=rounds&bot=Ledger', { dark: true })
await picture('coup', 'coup', middle(archives.coup, 40, 0.6), { dark: true, height: 900 })
await picture('gunduel', 'gunduel', middle(archives.gunduel, 30, 1), { height: 900 })
await picture('samurai', 'samurai', middle(archives.samurai, 60, 0.5), { height: 900 })
await picture('stronger', 'stronger', middle(archives.stronger, 200, 0.4), { height: 900 })
await picture('negotiate', 'negotiate', middle(archives.negotiate, 9, 0.8), { dark: true, height: 900 })
const troubles = eyes.troubles()
await eyes.close()
rmSync(folder, { recursive: true, force: true })
if (troubles.length > 0) throw new Error(troubles.join('\n'))
