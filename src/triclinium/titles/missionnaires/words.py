from triclinium.kernel.words import Words


class MissionnairesWords(Words):
    def __init__(self, c, french):
        super().__init__(c.notation, french)
