"""Player classes of the Yut course, honest and other, that know the rules by heart and nothing of Forgeron."""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))
from naive.yut import BEFORE, HOME, walk


class Player:
    """Takes the first legal action, the pieces that are far first; checks everything it is told."""

    def __init__(self):
        self.turns = []
        self.heard = []
        self.board = (0, 0, 0, 0), (0, 0, 0, 0)

    def name(self):
        return "honest"

    def reset(self, random_state):
        self.random = random_state
        self.board = (0, 0, 0, 0), (0, 0, 0, 0)  # the same object may play another game
        print("reset with", type(random_state).__name__)

    def actions(self, mine, scores):
        for score in scores:
            for index in sorted(range(len(mine)), key=lambda i: -mine[i]):
                if mine[index] == HOME:
                    continue
                if score == -1 and mine[index] == 0 and any(0 < s < HOME for s in mine):
                    continue
                yield index, score, True

    def check(self, state):
        turn, mine, theirs, scores = state
        assert type(turn) is int
        assert type(mine) is tuple
        assert type(theirs) is tuple
        assert type(scores) is list
        assert all(type(number) is int for number in (*mine, *theirs, *scores))
        return state

    def action(self, state):
        turn, mine, theirs, scores = self.asked = self.check(state)
        assert (mine, theirs) == self.board
        self.turns.append(turn)
        return (*next(self.actions(mine, scores)), "a thought")

    def on_my_action(self, state, action, result):
        """The state has the pieces after the action, as the course's engine tells it; before, they were as asked."""
        _turn, mine, theirs, scores = self.check(state)
        index, score, _shortcut, _text = action
        legal, mine_after, theirs_after, caught = result
        assert legal
        assert score in scores
        assert (mine, theirs) == (mine_after, theirs_after)
        station = self.asked[1][index]
        target = walk(station, score) if score > 0 else (BEFORE[station][-1] if station else 0)
        assert mine_after[index] == target, (state, action, result)
        assert caught == sum(s == target and 0 < target < HOME for s in self.asked[2])
        assert caught == theirs_after.count(0) - self.asked[2].count(0)
        self.heard.append("mine")
        self.board = mine, theirs

    def on_enemy_action(self, state, action, result):
        _turn, mine, theirs, scores = self.check(state)
        mine_before, theirs_before = self.board
        assert action[1] in scores
        assert (mine, theirs) == result[1:3]
        assert theirs != theirs_before or action[1] == -1
        assert result[3] == mine.count(0) - mine_before.count(0)
        self.heard.append("theirs")
        self.board = mine, theirs
        if min(result[2]) == HOME:
            print("they are home,", len(self.heard), "actions")


class NegativeIndex(Player):
    def action(self, state):
        return -1, state[3][0], False, ""


class TooHighIndex(Player):
    def action(self, state):
        return 4, state[3][0], False, ""


class AppendsMo(Player):
    """Appends to the list it is given, and uses what it appended."""

    def action(self, state):
        state[3].append(5)
        return 0, 5, False, ""


class KeepsTheList(Player):
    """Fills every list it was ever given with mo, but plays what it has."""

    def action(self, state):
        answer = super().action((*state[:3], list(state[3])))
        state[3][:] = [5] * 50
        return answer


class Predicts(Player):
    """Throws with its own generator as the course's engine does, and writes down what it foresees and what comes."""

    def reset(self, random_state):
        super().reset(random_state)
        self.foreseen = [self.cast(random_state) for _ in range(2000)]
        self.seen = []

    def cast(self, random_state):
        flat = sum(random_state.rand() < 0.6 for _ in range(4))
        if flat == 1 and random_state.rand() < 0.25:
            return -1
        return flat or 5

    def action(self, state):
        if len(state[3]) == 1:
            self.seen.append(state[3][0])
        right = sum(a == b for a, b in zip(self.seen, self.foreseen, strict=False))
        print("foreseen", right, "of", len(self.seen))
        return super().action(state)


class Reads(Player):
    """Tries to read the referee's lines, and to write some."""

    def action(self, state):
        print('{"action": [0, 5, false]}')
        print("read:", repr(sys.stdin.read()))
        return super().action(state)


class Raises(Player):
    def action(self, state):
        raise ValueError("no idea")


class Exits(Player):
    def action(self, state):
        sys.exit(3)


class Slow(Player):
    def action(self, state):
        time.sleep(60)


class Garbage(Player):
    def action(self, state):
        return "the first piece"


class Breaks(Player):
    def __init__(self):
        raise RuntimeError("cannot be made")
