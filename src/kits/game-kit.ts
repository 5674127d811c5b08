import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The package itself: what a new game's tests import from. */
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))
const TEMPLATES = join(PACKAGE, 'templates', 'game')

/** Cards of the game that the templates are. */
const CARDS = 5

/** The files of a new game by their paths: rules, two bots, a board, a viewer, tests, a contest. `name` is its id. */
export function gameKit(name: string): Readonly<Record<string, string>> {
  const words = name.replaceAll('-', ' ')
  const fill = { __NAME__: name, __TITLE__: words.charAt(0).toUpperCase() + words.slice(1), __CARDS__: String(CARDS) }
  const paths = readdirSync(TEMPLATES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(TEMPLATES.length + 1))
  return Object.fromEntries(
    paths.sort().map((path) => {
      const text = readFileSync(join(TEMPLATES, path), 'utf8')
      // A path may hold what a JSON text writes otherwise.
      const home = JSON.stringify(`file:${PACKAGE.replace(/[/\\]$/, '')}`).slice(1, -1)
      return [
        path,
        Object.entries({ ...fill, __PACKAGE__: home }).reduce(
          (all, [key, value]) => all.replaceAll(key, () => value),
          text,
        ),
      ]
    }),
  )
}
