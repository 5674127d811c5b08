import { visible } from '../../core/index.js'
import { figure } from '../format.js'
import { nameOf, useShared } from '../shared.js'

/** What bots printed of themselves: the mean of a match by name, a row for each that printed any. */
export function Printed() {
  const { report } = useShared()
  const { standings, printed } = report.document
  if (!printed) return null
  const names = [...new Set(printed.flatMap((own) => own.map(({ name }) => name)))].sort()
  const rows = standings.rows.filter(({ entrant }) => (printed[entrant] ?? []).length > 0)
  return (
    <>
      <h3 id="printed">What bots printed</h3>
      <p>The mean of a match of each figure that a bot printed of itself. Its replays show it turn by turn.</p>
      <div className="scrollable" role="region" aria-labelledby="printed" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              {names.map((name) => (
                <th key={name} scope="col" className="number">
                  {visible(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ entrant }) => (
              <tr key={entrant}>
                <th scope="row">{nameOf(report, entrant)}</th>
                {names.map((name) => {
                  const own = printed[entrant]?.find((one) => one.name === name)
                  return (
                    <td key={name} className="number" {...(own && { title: `over ${own.matches} matches` })}>
                      {own === undefined ? '–' : figure(own.mean)}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
