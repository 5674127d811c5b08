"""Environments of agon's games, shaped like Gymnasium's and PettingZoo's, without any package.

    env = AgonEnv("samurai", "Hedgehog")
    observation, info = env.reset(seed=1)
    while True:
        action = random.choice(info["legal"])
        observation, reward, terminated, truncated, info = env.step(action)
        if terminated:
            break

Observations are the game's views (dicts), actions are texts: info["legal"] lists those that are legal now, or describes them by a
shape if no list holds them (a dict, such as {"number": {"min": 0, "max": 9}}). The reward is 0 until
the end, and then from 1 (ahead of all others) to -1 (behind all). A seed gives the same episode to the same actions.
"""

import json
import os
import shlex
import subprocess

__all__ = ["AgonEnv", "AgonParallelEnv"]


class _Process:
    """agon env, and its lines."""

    def __init__(self, game, words, agon):
        command = shlex.split(agon or os.environ.get("AGON", "npx agon"))
        self._child = subprocess.Popen(
            [*command, "env", game, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def ask(self, message):
        self._child.stdin.write(json.dumps(message) + "\n")
        self._child.stdin.flush()
        line = self._child.stdout.readline()
        if not line:
            raise RuntimeError(f"agon env has ended with exit code {self._child.wait()}; it says why above")
        answer = json.loads(line)
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer

    def close(self):
        if not self._child.stdin.closed:
            self._child.stdin.close()
            self._child.stdout.close()
        self._child.wait()


class _Closing:
    def close(self):
        self._process.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class AgonEnv(_Closing):
    """One seat of a game, against bots: their names, files or commands. `agon`: how agon is started (else $AGON, else npx agon)."""

    metadata = {"render_modes": []}

    def __init__(self, game, *opponents, seat=0, options=None, agon=None):
        words = [word for opponent in opponents for word in ("--opponent", opponent)]
        words += [word for name, value in (options or {}).items() for word in ("--option", f"{name}={value}")]
        self._process = _Process(game, [*words, "--seat", str(seat)], agon)

    def reset(self, *, seed=None, options=None):
        answer = self._process.ask({"type": "reset", "seed": seed})
        return answer["observation"], {"legal": answer["legal"]}

    def step(self, action):
        answer = self._process.ask({"type": "step", "action": action})
        info = {"legal": answer["legal"], **({"outcome": answer["outcome"]} if answer["terminated"] else {})}
        return answer["observation"], answer["reward"], answer["terminated"], False, info


class AgonParallelEnv(_Closing):
    """All seats of a game. Agents are called "0", "1" …; observations and legal actions are those of the agents that are due."""

    metadata = {"name": "agon"}

    def __init__(self, game, seats=2, options=None, agon=None):
        words = [word for name, value in (options or {}).items() for word in ("--option", f"{name}={value}")]
        self._process = _Process(game, ["--seats", str(seats), *words], agon)
        self.possible_agents = [str(seat) for seat in range(seats)]
        self.agents = []

    def reset(self, seed=None, options=None):
        answer = self._process.ask({"type": "reset", "seed": seed})
        self.agents = list(self.possible_agents)
        return answer["observations"], self._infos(answer)

    def step(self, actions):
        """`actions`: one for each agent that was given an observation."""
        answer = self._process.ask({"type": "step", "actions": actions})
        over = answer["terminated"]
        rewards = {agent: answer["rewards"].get(agent, 0) for agent in self.agents}
        ended = {agent: over for agent in self.agents}
        truncated = {agent: False for agent in self.agents}
        infos = self._infos(answer)
        if over:
            self.agents = []
        return answer["observations"], rewards, ended, truncated, infos

    def _infos(self, answer):
        return {agent: {"legal": answer["legal"].get(agent, [])} for agent in self.agents}
