"""What Figs says in French."""

from typing import Final

FRENCH: Final = {
    "{0:fig} costs {1} {1:coin|coins}, you have {2}": "{0:fig} coûte {1} {1:pièce|pièces}, vous en avez {2}",
    "you have seen the top card": "vous avez vu la carte du dessus",
    "the pile is empty": "la pioche est vide",
    "joining costs a coin": "participer coûte une pièce",
    "what do you do on your turn?": "que faites-vous à votre tour ?",
    "do you join {0}?": "participez-vous avec {0} ?",
    "{0}: {1}": "{0} : {1}",
    "{0} drew {1}": "{0} pioche {1}",
    "{0} drew a card": "{0} pioche une carte",
    "{0} looked at the top card": "{0} regarde la carte du dessus",
    "everybody gets {0} {0:coin|coins}": "chacun reçoit {0} {0:pièce|pièces}",
    "laid figs": "figues posées",
    "coins kept": "pièces gardées",
    "joined": "participations",
}
