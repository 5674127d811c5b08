/**
 * Leech: calls whatever the other does, and never raises: it cannot be bluffed.
 *
 * @returns {string} the action
 */
export default function leech() {
  return 'call'
}
