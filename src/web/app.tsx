import { useEffect, useMemo, useState } from 'react'
import type { PackedMatch } from './document.js'
import { SharedProvider, formatPlace, usePlace } from './shared.js'
import type { Report } from './load.js'
import { Overview } from './overview/overview.js'
import { Replay } from './replay/replay.js'

/** The page: the report, or one of its matches, as the address says. */
export function App({ report }: { readonly report: Report }) {
  const [place, go] = usePlace()
  const shared = useMemo(() => ({ report, place, go, href: formatPlace }), [report, place, go])
  return (
    <SharedProvider value={shared}>
      {place.match === undefined ? <Overview /> : <Opened key={place.match} report={report} match={place.match} />}
    </SharedProvider>
  )
}

/** A match that is unpacked first. */
function Opened({ report, match }: { readonly report: Report; readonly match: string }) {
  const [opened, setOpened] = useState<PackedMatch | Error>()
  useEffect(() => {
    let left = false
    const at = report.matches.findIndex(([key]) => key === match)
    const found = at < 0 ? Promise.reject(new Error(`there is no match "${match}" in this page`)) : report.match(at)
    void found
      .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
      .then((packed) => left || setOpened(packed))
    window.scrollTo(0, 0)
    return () => {
      left = true
    }
  }, [report, match])
  if (opened === undefined) return <main className="waiting inner">Unpacking the match …</main>
  if (opened instanceof Error) {
    return (
      <main className="waiting inner">
        <h1>No such match</h1>
        <p>{opened.message}</p>
        <p>
          <a href="#at=matches">All matches</a>
        </p>
      </main>
    )
  }
  return <Replay packed={opened} />
}
