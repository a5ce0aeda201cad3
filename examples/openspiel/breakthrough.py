"""A game of OpenSpiel for our players: FORGERON_JIT=0 forgeron play examples/openspiel/breakthrough.py"""

from forgeron.interop.openspiel_games import openspiel_game

Breakthrough = openspiel_game("breakthrough(rows=6,columns=6)", module=__name__)
