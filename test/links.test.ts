import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** All pages of the project, by their paths from the root. */
const pages = ['.', 'docs', 'templates', 'src/games', 'deploy', 'contests'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: folder !== '.', encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file)),
)

/** Without blocks of code, in which brackets and hashes mean something else. */
const proseOf = (page: string): string => readFileSync(join(root, page), 'utf8').replace(/^(```+|~~~+)[^]*?^\1/gm, '')

/** A heading's anchor as GitHub makes it: lower case, punctuation dropped, a hyphen for each space. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/`/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replace(/ /g, '-')

/** The anchors of a page; the second heading of the same words has -1 behind it. */
function anchorsOf(page: string): ReadonlySet<string> {
  const times = new Map<string, number>()
  const anchors = new Set<string>()
  for (const [, heading = ''] of proseOf(page).matchAll(/^#{1,6} +(.+)$/gm)) {
    const anchor = anchorOf(heading)
    const before = times.get(anchor) ?? 0
    times.set(anchor, before + 1)
    anchors.add(before === 0 ? anchor : `${anchor}-${before}`)
  }
  return anchors
}

/** Targets of a page's links and pictures that lie in the project. */
const targetsOf = (page: string): string[] =>
  [
    ...proseOf(page)
      .replace(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))

/** What is wrong with a link; undefined: it leads somewhere. */
function problemOf(page: string, target: string): string | undefined {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? page : relative(root, join(root, dirname(page), decodeURIComponent(path)))
  if (!existsSync(join(root, file))) return `${page}: ${target}: no such file`
  if (anchor === undefined || anchorsOf(file).has(decodeURIComponent(anchor))) return undefined
  return `${page}: ${target}: no such heading`
}

it('finds links and anchors in the pages', () => {
  expect(pages).toContain('README.md')
  expect(pages).toContain(join('docs', 'store.md'))
  expect(targetsOf('ARCHITECTURE.md')).toContain('src/core/game.ts')
  expect(anchorsOf('docs/ratings.md')).toContain('strengths-in-elo')
  expect(problemOf('README.md', 'docs/store.md#what-is-promised')).toBeUndefined()
  expect(problemOf('README.md', 'docs/store.md#what-was-promised')).toMatch('no such heading')
  expect(problemOf('README.md', 'docs/gone.md')).toMatch('no such file')
})

it.each(pages)('%s links to files and headings that are there', (page) => {
  expect(
    targetsOf(page)
      .map((target) => problemOf(page, target))
      .filter((problem) => problem !== undefined),
  ).toEqual([])
})
