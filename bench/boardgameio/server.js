// A card game on boardgame.io's own server, to compare both servers under the same load.
// usage: node server.js PORT memory|DIRECTORY small|euro
const { Server, FlatFile } = require("boardgame.io/server");

const [port, store, size] = process.argv.slice(2);
const PIECES = size === "euro" ? 250 : 0;

const Cards = {
  name: "cards",
  setup: ({ random }) => ({
    deck: random.Shuffle([...Array(80).keys()]),
    hands: { 0: [], 1: [] },
    laid: [],
    played: 0,
    pieces: [...Array(PIECES).keys()].map((id) => ({ id, kind: "follower", owner: id % 2, row: id % 12, column: id % 9 })),
  }),
  playerView: ({ G, playerID }) => ({ ...G, deck: G.deck.length, hands: { [playerID]: G.hands[playerID] } }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    lay: {
      client: false,
      undoable: false,
      move: ({ G, playerID }, n) => {
        const hand = G.hands[playerID];
        while (hand.length < 5 && G.deck.length) hand.push(G.deck.pop());
        if (!G.deck.length) { G.deck = G.laid.splice(0, 60); }
        G.laid.push(hand.splice(n % hand.length, 1)[0]);
        if (PIECES) G.pieces[n % PIECES].row = (G.pieces[n % PIECES].row + 1) % 12;
        G.played += 1;
      },
    },
  },
  endIf: ({ G }) => (G.played >= 200 ? { winner: "0" } : undefined),
};

const options = { games: [Cards], origins: ["http://localhost"] };
if (store !== "memory") options.db = new FlatFile({ dir: store, logging: false });
Server(options).run(Number(port));
