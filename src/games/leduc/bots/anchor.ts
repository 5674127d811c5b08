import type { Bot } from '../../../core/index.js'
import type { Action, View } from '../rules.js'

/**
 * Anchor: plays an equilibrium that `agon solve leduc` found, rounded to thousandths. Against it nobody wins more than the cards give, but
 * for a thousandth of a chip a match.
 */
const bot: Bot<View, Action> = (view, chance) => {
  const mixture = policy(view)
  let left = chance.random()
  return ACTIONS.find((action) => (left -= mixture[action]) < 0) ?? 'call'
}
export default bot

const ACTIONS: readonly Action[] = ['fold', 'call', 'raise']

/** How probable each of its actions is. */
export const policy = ({ card, table, rounds }: View): Readonly<Record<Action, number>> => {
  const said = rounds.map((round) => round.map((action) => action.charAt(0)).join('')).join('/')
  const [fold = 0, call = 1, raise = 0] = KNOWN.get(`${card}${table}/${said}`) ?? []
  return { fold, call, raise }
}

/** By own card, card on the table and what was said in each round: how probable it is to fold, call, raise. */
const TABLE = `
J/=,.928,.072 J/c=,.701,.299 J/cr=.946,.036,.018 J/crr=,1, J/r=.819,.126,.055 J/rr=,1, JJ/cc/=,.337,.663 JJ/cc/c=,,1
JJ/cc/cr=,,1 JJ/cc/crr=,1, JJ/cc/r=,1, JJ/cc/rr=,1, JJ/crc/=,,1 JJ/crc/c=,,1 JJ/crc/cr=.334,.333,.333 JJ/crc/crr=,1,
JJ/crc/r=,1, JJ/crc/rr=,1, JJ/crrc/=,,1 JJ/crrc/c=,,1 JJ/crrc/cr=.334,.333,.333 JJ/crrc/crr=,1, JJ/crrc/r=,,1 JJ/crrc/rr=,1,
JJ/rc/=,,1 JJ/rc/c=,,1 JJ/rc/cr=.334,.333,.333 JJ/rc/crr=,1, JJ/rc/r=,,1 JJ/rc/rr=,1, JJ/rrc/=,,1 JJ/rrc/c=,,1
JJ/rrc/cr=.334,.333,.333 JJ/rrc/crr=,1, JJ/rrc/r=,,1 JJ/rrc/rr=,1, JK/cc/=,.924,.076 JK/cc/c=,.993,.007 JK/cc/cr=1,,
JK/cc/crr=1,, JK/cc/r=1,, JK/cc/rr=1,, JK/crc/=,.966,.034 JK/crc/c=,.441,.559 JK/crc/cr=1,, JK/crc/crr=1,,
JK/crc/r=.987,,.013 JK/crc/rr=1,, JK/crrc/=,,1 JK/crrc/c=,.543,.457 JK/crrc/cr=.334,.333,.333 JK/crrc/crr=,1,
JK/crrc/r=.785,,.215 JK/crrc/rr=1,, JK/rc/=,,1 JK/rc/c=,.621,.379 JK/rc/cr=.334,.333,.333 JK/rc/crr=1,, JK/rc/r=.632,,.368
JK/rc/rr=1,, JK/rrc/=,.439,.561 JK/rrc/c=,,1 JK/rrc/cr=,,1 JK/rrc/crr=1,, JK/rrc/r=.688,,.312 JK/rrc/rr=1,, JQ/cc/=,.806,.194
JQ/cc/c=,.929,.071 JQ/cc/cr=1,, JQ/cc/crr=1,, JQ/cc/r=.964,,.036 JQ/cc/rr=1,, JQ/crc/=,.007,.993 JQ/crc/c=,.617,.383
JQ/crc/cr=,,1 JQ/crc/crr=1,, JQ/crc/r=.863,,.137 JQ/crc/rr=1,, JQ/crrc/=,1, JQ/crrc/c=,.966,.034 JQ/crrc/cr=.799,,.201
JQ/crrc/crr=1,, JQ/crrc/r=.78,,.22 JQ/crrc/rr=.5,.5, JQ/rc/=,,1 JQ/rc/c=,,1 JQ/rc/cr=.334,.333,.333 JQ/rc/crr=1,, JQ/rc/r=1,,
JQ/rc/rr=1,, JQ/rrc/=,.877,.123 JQ/rrc/c=,1, JQ/rrc/cr=1,, JQ/rrc/crr=.5,.5, JQ/rrc/r=.574,,.426 JQ/rrc/rr=1,, K/=,.248,.752
K/c=,,1 K/cr=,.32,.68 K/crr=,1, K/r=,.417,.583 K/rr=,1, KJ/cc/=,1, KJ/cc/c=,.5,.5 KJ/cc/cr=1,, KJ/cc/crr=.5,.5,
KJ/cc/r=.334,.333,.333 KJ/cc/rr=.5,.5, KJ/crc/=,1, KJ/crc/c=,.865,.135 KJ/crc/cr=,1, KJ/crc/crr=,1, KJ/crc/r=.263,.737,
KJ/crc/rr=.5,.5, KJ/crrc/=,.926,.074 KJ/crrc/c=,.484,.516 KJ/crrc/cr=,1, KJ/crrc/crr=.258,.742, KJ/crrc/r=.185,.765,.05
KJ/crrc/rr=.607,.393, KJ/rc/=,.92,.08 KJ/rc/c=,.598,.402 KJ/rc/cr=,1, KJ/rc/crr=,1, KJ/rc/r=.248,.728,.024
KJ/rc/rr=.686,.314, KJ/rrc/=,.923,.077 KJ/rrc/c=,.924,.076 KJ/rrc/cr=,1, KJ/rrc/crr=.556,.444, KJ/rrc/r=.076,.882,.042
KJ/rrc/rr=.556,.444, KK/cc/=,,1 KK/cc/c=,.5,.5 KK/cc/cr=.334,.333,.333 KK/cc/crr=.5,.5, KK/cc/r=.334,.333,.333 KK/cc/rr=,1,
KK/crc/=,.907,.093 KK/crc/c=,,1 KK/crc/cr=,,1 KK/crc/crr=,1, KK/crc/r=,.965,.035 KK/crc/rr=,1, KK/crrc/=,,1
KK/crrc/c=,.042,.958 KK/crrc/cr=.334,.333,.333 KK/crrc/crr=,1, KK/crrc/r=,,1 KK/crrc/rr=,1, KK/rc/=,.195,.805 KK/rc/c=,,1
KK/rc/cr=,,1 KK/rc/crr=,1, KK/rc/r=,,1 KK/rc/rr=,1, KK/rrc/=,.465,.535 KK/rrc/c=,,1 KK/rrc/cr=,,1 KK/rrc/crr=,1,
KK/rrc/r=,.675,.325 KK/rrc/rr=,1, KQ/cc/=,1, KQ/cc/c=,.5,.5 KQ/cc/cr=.581,.419, KQ/cc/crr=.5,.5, KQ/cc/r=.334,.333,.333
KQ/cc/rr=.5,.5, KQ/crc/=,.116,.884 KQ/crc/c=,.631,.369 KQ/crc/cr=.452,.548, KQ/crc/crr=.946,.054, KQ/crc/r=.578,.422,
KQ/crc/rr=1,, KQ/crrc/=,1, KQ/crrc/c=,.377,.623 KQ/crrc/cr=.311,.684,.005 KQ/crrc/crr=.607,.393, KQ/crrc/r=.385,.615,
KQ/crrc/rr=.5,.5, KQ/rc/=,1, KQ/rc/c=,1, KQ/rc/cr=.513,.487, KQ/rc/crr=.5,.5, KQ/rc/r=.698,.302, KQ/rc/rr=.5,.5,
KQ/rrc/=,.277,.723 KQ/rrc/c=,.491,.509 KQ/rrc/cr=,1, KQ/rrc/crr=.556,.444, KQ/rrc/r=.38,.534,.086 KQ/rrc/rr=.607,.393,
Q/=,.258,.742 Q/c=,.15,.85 Q/cr=,.846,.154 Q/crr=,1, Q/r=,.629,.371 Q/rr=,1, QJ/cc/=,1, QJ/cc/c=,1, QJ/cc/cr=1,,
QJ/cc/crr=.5,.5, QJ/cc/r=1,, QJ/cc/rr=.5,.5, QJ/crc/=,.97,.03 QJ/crc/c=,.459,.541 QJ/crc/cr=1,, QJ/crc/crr=.986,.014,
QJ/crc/r=1,, QJ/crc/rr=1,, QJ/crrc/=,.995,.005 QJ/crrc/c=,1, QJ/crrc/cr=1,, QJ/crrc/crr=.5,.5, QJ/crrc/r=.98,,.02
QJ/crrc/rr=1,, QJ/rc/=,.993,.007 QJ/rc/c=,1, QJ/rc/cr=1,, QJ/rc/crr=.5,.5, QJ/rc/r=.981,,.019 QJ/rc/rr=1,, QJ/rrc/=,1,
QJ/rrc/c=,1, QJ/rrc/cr=1,, QJ/rrc/crr=.5,.5, QJ/rrc/r=1,, QJ/rrc/rr=.5,.5, QK/cc/=,.415,.585 QK/cc/c=,.987,.013 QK/cc/cr=,,1
QK/cc/crr=,1, QK/cc/r=.275,.725, QK/cc/rr=.101,.899, QK/crc/=,.989,.011 QK/crc/c=,.743,.257 QK/crc/cr=.445,.555,
QK/crc/crr=1,, QK/crc/r=.555,.445, QK/crc/rr=1,, QK/crrc/=,,1 QK/crrc/c=,1, QK/crrc/cr=.334,.333,.333 QK/crrc/crr=.5,.5,
QK/crrc/r=.721,.279, QK/crrc/rr=1,, QK/rc/=,.562,.438 QK/rc/c=,.621,.379 QK/rc/cr=.47,.529,.001 QK/rc/crr=1,,
QK/rc/r=.693,.307, QK/rc/rr=.797,.203, QK/rrc/=,.872,.128 QK/rrc/c=,.575,.425 QK/rrc/cr=.707,.293, QK/rrc/crr=.95,.05,
QK/rrc/r=.498,.502, QK/rrc/rr=1,, QQ/cc/=,.476,.524 QQ/cc/c=,,1 QQ/cc/cr=,,1 QQ/cc/crr=,1, QQ/cc/r=,.792,.208 QQ/cc/rr=,1,
QQ/crc/=,.009,.991 QQ/crc/c=,,1 QQ/crc/cr=,,1 QQ/crc/crr=,1, QQ/crc/r=,.567,.433 QQ/crc/rr=,1, QQ/crrc/=,1, QQ/crrc/c=,,1
QQ/crrc/cr=,,1 QQ/crrc/crr=,1, QQ/crrc/r=,,1 QQ/crrc/rr=.5,.5, QQ/rc/=,.512,.488 QQ/rc/c=,,1 QQ/rc/cr=,,1 QQ/rc/crr=,1,
QQ/rc/r=,1, QQ/rc/rr=,1, QQ/rrc/=,,1 QQ/rrc/c=,,1 QQ/rrc/cr=.334,.333,.333 QQ/rrc/crr=,1, QQ/rrc/r=,,1 QQ/rrc/rr=,1,`

const KNOWN: ReadonlyMap<string, readonly number[]> = new Map(
  TABLE.trim()
    .split(/\s+/)
    .map((entry) => {
      const [key = '', shares = ''] = entry.split('=')
      return [key, shares.split(',').map(Number)]
    }),
)
