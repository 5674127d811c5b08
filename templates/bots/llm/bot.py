"""A bot for __TITLE__ that asks a language model. README.md has the rules, and all that a bot is sent.

It asks any endpoint of the chat-completions form, and needs no package. These variables say which:
  AGON_LLM_URL    its address up to /v1, such as http://127.0.0.1:11434/v1
  AGON_LLM_MODEL  the model's name
  AGON_LLM_KEY    your key, if the endpoint needs one; it is sent there, and shown nowhere
Debug with print(…, file=sys.stderr): standard output belongs to the answers.
"""

import json
import os
import re
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

URL = os.environ.get("AGON_LLM_URL", "").rstrip("/")
MODEL = os.environ.get("AGON_LLM_MODEL", "")
KEY = os.environ.get("AGON_LLM_KEY", "")
RULES = Path(__file__).with_name("rules.md").read_text(encoding="utf-8")

# Requests that fail for the endpoint's sake (too many requests, an error of its own, no answer) are sent so often in all.
ATTEMPTS = 3
# Seconds that an answer may take where agon does not say.
USUAL_TURN = 1.0


# What the parts of a view are.
VIEW = """
__FIELDS__
"""


def instructions(start):
    """What the model is told first. Change it: it is most of what makes this bot good or bad."""
    about = {key: start[key] for key in ("seat", "seats", "options") if key in start}
    return (
        f"You play a game against other players. You are in this seat, counted from 0: {json.dumps(about)}\n\n{RULES}\n\n"
        f"The parts of what you see:\n{VIEW}\n"
        "You are shown what you may know, as JSON, and what you may answer. Think briefly, if at all. "
        "The last line of your reply is the action that you choose, and nothing else."
    )


def question(view, legal):
    """What the model is told for each move."""
    if isinstance(legal, list):
        choice = "Choose one of these actions:\n" + "\n".join(legal)
    else:
        choice = f"Choose an action of this form: {json.dumps(legal)}"
    return f"What you see: {json.dumps(view)}\n\n{choice}"


def choose(start, message, deadline):
    """The action that the model names, before the deadline; if it names none, the first legal one."""
    legal = message["legal"]
    # If legal is a shape, agon sends an action that fits it.
    first = legal[0] if isinstance(legal, list) else message["example"]
    messages = [
        {"role": "system", "content": instructions(start)},
        {"role": "user", "content": question(message["view"], legal)},
    ]
    tokens, retries, action = 0, 0, None
    if URL:
        for retries in (0, 1):
            said, used = complete(messages, deadline)
            tokens += used
            if said is None:
                break
            action = action_in(said, legal)
            if action is not None:
                break
            why = f"There is no legal action in that. {question(message['view'], legal)}\n\nReply with the action alone."
            messages += [{"role": "assistant", "content": said}, {"role": "user", "content": why}]
    # Replays graph these figures, turn by turn.
    print(f"agon:tokens={tokens}\nagon:retries={retries}", file=sys.stderr, flush=True)
    return first if action is None else action


def complete(messages, deadline):
    """What the model replies, and how many tokens that took; None: nothing came in time."""
    for attempt in range(ATTEMPTS):
        answer, wait = post(messages, deadline - time.monotonic())
        if answer is not None:
            return answer
        wait = 0.25 * 2**attempt if wait is None else wait
        if attempt + 1 == ATTEMPTS or time.monotonic() + wait >= deadline:
            break
        time.sleep(wait)
    return None, 0


def post(messages, seconds):
    """One request: (what came of it, None), or (None, the seconds that the endpoint asks to wait)."""
    result = [(None, None)]

    def work():
        try:
            headers = {"content-type": "application/json"}
            if KEY:
                headers["authorization"] = f"Bearer {KEY}"
            body = json.dumps({"model": MODEL, "messages": messages}).encode()
            request = urllib.request.Request(f"{URL}/chat/completions", data=body, headers=headers)
            with urllib.request.urlopen(request, timeout=seconds) as response:
                said = json.load(response)
            content = said["choices"][0]["message"].get("content") or ""
            result[0] = ((content, (said.get("usage") or {}).get("total_tokens") or 0), None)
        except urllib.error.HTTPError as error:
            note(f"the endpoint answered {error.code}")
            after = error.headers.get("retry-after", "")
            result[0] = (None, float(after) if re.fullmatch(r"\d+(\.\d+)?", after) else None)
        except Exception as error:
            # Its text may hold what was sent: only its kind is shown.
            note(f"no answer of the endpoint ({type(error).__name__})")

    # A thread, because a timeout of urllib begins anew with each byte.
    if seconds > 0:
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        thread.join(seconds)
    return result[0]


def action_in(said, legal):
    """The legal action that a reply names; None: there is none. What stands last counts most."""
    lines = [line.strip() for line in said.strip().splitlines() if line.strip()]
    named = re.findall(r'"action"\s*:\s*("(?:[^"\\]|\\.)*")', said)
    plain = [line.strip(" \t`*_\"'.") for line in lines] + re.findall(r'["`*]+([^"`*\n]+)["`*]+', said)
    for text in [json.loads(name) for name in named[::-1]] + lines[::-1] + plain[::-1]:
        if fits(text, legal):
            return text
    if not isinstance(legal, list):
        return next((text for text in re.findall(r"-?\d+(?:\.\d+)?", said)[::-1] if fits(text, legal)), None)
    for line in lines[::-1]:
        for action in sorted(legal, key=len, reverse=True):
            if re.search(rf"(?<!\w){re.escape(action)}(?!\w)", line):
                return action
    return None


def fits(text, legal):
    """Whether a text is a legal action: one of a list, or of the form that a shape describes."""
    if isinstance(legal, str):
        return text == legal
    if isinstance(legal, list):
        return text in legal
    if "any" in legal:
        return any(fits(text, one) for one in legal["any"])
    if "number" in legal:
        shape = legal["number"]
        if not re.fullmatch(r"-?\d+(\.\d+)?", text) or not shape["min"] <= float(text) <= shape["max"]:
            return False
        steps = (float(text) - shape["min"]) / shape.get("step", 1)
        return abs(steps - round(steps)) < 1e-9
    if "list" in legal:
        shape, items = legal["list"], text.split(" ")
        return shape.get("min", 1) <= len(items) <= shape["max"] and all(item in shape["of"] for item in items)
    shape = legal["text"]
    return len(text) <= shape["max"] and re.fullmatch(shape["pattern"].strip("^$"), text) is not None


def note(text):
    print(text, file=sys.stderr, flush=True)


def main():
    if not URL:
        note("AGON_LLM_URL is not set: this bot plays the first legal action")
    start = {}
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            start = message
        elif message["type"] == "ask":
            clock = message.get("clock") or {}
            limits = [clock.get("turn", (start.get("limits") or {}).get("turn")), clock.get("left")]
            seconds = min([limit / 1000 for limit in limits if limit is not None], default=USUAL_TURN)
            # A part of it is for the way there and back, and for this program itself.
            deadline = time.monotonic() + seconds - min(0.5, 0.15 * seconds)
            answer = {"action": choose(start, message, deadline)}
            if "n" in message:
                answer["n"] = message["n"]
            # Without flush the answer would stay in Python's own buffer.
            print(json.dumps(answer), flush=True)


main()
