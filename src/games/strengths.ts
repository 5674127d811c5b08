/**
 * How strong the house bots of each game are, the strongest first: points for a match of the game's ladder (`agon ladder`), which are wins, and
 * draws for a half, or, where scores count, the mean score. `npm run strengths` measures them anew and writes this file.
 */
export const STRENGTHS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  gunduel: {
    Ledger: 0.81,
    Magpie: 0.71,
    Metronome: 0.61,
    Tightrope: 0.58,
    Fulcrum: 0.58,
    Gambler: 0.52,
    Matador: 0.51,
    Weathercock: 0.46,
    Mirror: 0.46,
    Furnace: 0.42,
    Storm: 0.42,
    Clockwork: 0.35,
    Dice: 0.07,
  },
  coup: {
    Ledger: 0.67,
    Hoard: 0.63,
    Velvet: 0.62,
    Gadfly: 0.57,
    Quill: 0.45,
    Magpie: 0.41,
    Tombola: 0.29,
    Nightshade: 0.22,
  },
  samurai: {
    Abacus: 0.91,
    Equinox: 0.71,
    Sunflower: 0.71,
    Echo: 0.57,
    Hedgehog: 0.43,
    Hothead: 0.38,
    Metronome: 0.29,
    Dice: 0,
  },
  negotiate: { Weaver: 0.78, Strongarm: 0.54, Lantern: 0.12, Bulwark: 0.09, Jackdaw: 0.08, Hermit: 0.04, Raffle: 0.04 },
  stronger: {
    Gadfly: 0.39,
    Jackal: 0.12,
    Actuary: 0.1,
    Alchemist: 0.09,
    Grudge: 0.07,
    Sniper: 0.06,
    Shrapnel: 0.03,
    Thornbush: 0.01,
  },
  kuhn: { Bookworm: 0.18, Keel: 0.09, Braggart: -0.04, Penny: -0.23 },
  leduc: { Cautious: 0.98, Anchor: 0.43, Leech: -0.64, Bluster: -0.78 },
}
