interface Props {
  /** SVG or HTML of a stranger. */
  readonly picture: string
}

/** A position as a game of its own draws it, in a frame that runs nothing, loads nothing and reaches nothing of the page. */
export function Picture({ picture }: Props) {
  const [, width = 4, height = 3] =
    /^\s*<svg\b[^>]*?\bviewBox="[-\d.]+[\s,]+[-\d.]+[\s,]+(\d[\d.]*)[\s,]+(\d[\d.]*)"/.exec(picture) ?? []
  return (
    <iframe
      className="picture"
      title="position"
      // Nothing is allowed: no script, no form, no window, and an origin of its own.
      sandbox=""
      referrerPolicy="no-referrer"
      srcDoc={framed(picture)}
      style={{ aspectRatio: `${width} / ${height}` }}
    />
  )
}

/** The page's policy holds in the frame, too; this one would, if the page had none. */
const HEAD = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'"><meta name="color-scheme" content="light dark">`

const framed = (picture: string): string =>
  `${HEAD}<body topmargin="0" leftmargin="0" marginwidth="0" marginheight="0">${picture}`
