# Actuary: expects everyone to do again what they did last, reckons where that leaves each of them, and takes the action after which it
# stands best against the strongest of the others.
import sys

if len(sys.argv) == 1:
    print("ok")
    sys.exit()

own = sys.argv[1]
bots = {}
for text in sys.argv[2:]:
    who, life, power, last = text.split(",")
    if int(life) > 0:
        bots[who] = (int(life), int(power), last)


def after(actions):
    """Life times power of everyone, once these actions are done."""
    worth = {}
    for who, (life, power, _) in bots.items():
        blows = [bots[other][1] for other, action in actions.items() if action == who]
        if actions[who] == "D":
            blows, gain = [blow - blow // 2 for blow in blows], 2 * len(blows) - 1
        else:
            gain = len(blows)
        worth[who] = max(0, life - sum(blows)) * max(1, power + gain)
    return worth


def score(action):
    expected = {who: last if last in bots or last == "D" else "D" for who, (_, _, last) in bots.items()}
    worth = after({**expected, own: action})
    others = [value for who, value in worth.items() if who != own]
    return worth[own] / (1 + max(others) + sum(others) / len(others))


print(max(["D", *(who for who in bots if who != own)], key=score) if len(bots) > 2 else next(who for who in bots if who != own))
