/** Points and tallies: '12.5', '3', at most three decimals; nothing where there is no number. */
export function number(value: number | null): string {
  return value === null ? '' : String(Math.round(value * 1000) / 1000)
}

/** A share as per cent: '57 %', '99.8 %', '0 %'. */
export function percent(share: number): string {
  const text = (100 * share).toFixed(share > 0.995 || share < 0.005 ? 1 : 0)
  return `${text.replace(/\.0$/, '')} %`
}

/** A whole number with its sign: '+12', '−7', '0'. */
export function signed(value: number): string {
  const whole = Math.round(value)
  return whole > 0 ? `+${whole}` : minus(String(whole))
}

/** A number's text with a minus instead of a hyphen. */
export const minus = (text: string): string => text.replace('-', '−')
