/** What Doesn't Kill Me Makes Me Stronger, 22 May 2015: who won a game, with wins and the life left in them; 15 games, of which
 *  2 stalled at the turn limit. */
export const stronger: readonly (readonly [name: string, wins: number, life: number])[] = [
  ['Santayana.pl', 3, 561],
  ['PhantomMenace', 2, 850],
  ['Tactician.pl', 2, 692],
  ['Wiisniper', 2, 524],
  ['Tank', 1, 227],
  ['Velociraptor', 1, 184],
  ['Coward', 1, 7],
  ['IKnowYou', 1, 3],
]
