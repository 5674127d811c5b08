import type { ButtonHTMLAttributes } from 'react'

interface PressProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'type'> {
  /** Nothing comes of a press just now. */
  readonly resting: boolean
  /** It sends its form. */
  readonly sends?: boolean
}

/** A button that may be out of use for a while. It keeps the keyboard's focus then, which one that is `disabled` lets fall to nothing. */
export function Press({ resting, sends = false, onClick, ...rest }: PressProps) {
  const press = (event: React.MouseEvent<HTMLButtonElement>): void => {
    // This also holds back the form that Enter in one of its fields would send.
    if (resting) event.preventDefault()
    else onClick?.(event)
  }
  const common = { ...rest, 'aria-disabled': resting || undefined, onClick: press }
  return sends ? <button type="submit" {...common} /> : <button type="button" {...common} />
}
