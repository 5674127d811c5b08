import type { Entry } from './entries.js'
import { quote } from './explain.js'
import type { Mistakes } from './mistakes.js'

/** The same person, however the name is spaced and capitalised. */
const personOf = (author: string): string => author.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()

/** Refuses persons who have more entrants than `most`; house bots, and entrants without an author, are not counted. */
export function checkAuthors(entries: readonly Entry[], most: number, mistakes: Mistakes): void {
  const byPerson = new Map<string, Entry[]>()
  for (const entry of entries) {
    const { author } = entry.spec
    if (author === undefined || entry.house) continue
    const own = [...(byPerson.get(personOf(author)) ?? []), entry]
    byPerson.set(personOf(author), own)
  }
  for (const own of byPerson.values()) {
    const extra = own[most]
    if (extra === undefined) continue
    const names = own.map(({ spec }) => quote(spec.name)).join(', ')
    const many = `${own.length} entrants (${names})`
    mistakes.add(
      extra.error(
        'author',
        `${quote(extra.spec.author)} has ${many}, and entries_per_author allows ${most}: leave ${own.length - most} of them out`,
      ),
    )
  }
}
