// Load generator: matches with two sockets each. The next move follows when both seats have received the last one.
// usage: node load.js PORT MATCHES SECONDS SERVER_PID
const fs = require("fs");
const { io } = require("socket.io-client");

const [port, matches, seconds, pid] = process.argv.slice(2).map(Number);
const house = `http://127.0.0.1:${port}`;
const latency = [];
let measuring = false;
let stopped = false;

const cpu = () => {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

const post = async (path, body) => {
  const answer = await fetch(house + path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  return answer.json();
};

async function match() {
  const { matchID } = await post("/games/cards/create", { numPlayers: 2 });
  const seats = [];
  for (const playerID of ["0", "1"]) {
    const { playerCredentials } = await post(`/games/cards/${matchID}/join`, { playerID, playerName: playerID });
    const socket = io(`${house}/cards`, { transports: ["websocket"], forceNew: true });
    const seat = { playerID, playerCredentials, socket, state: null, heard: null };
    socket.on("sync", (_, { state }) => { seat.state = state; seat.heard && seat.heard(); });
    socket.on("update", (_, state) => { seat.state = state; seat.heard && seat.heard(); });
    await new Promise((ready) => { seat.heard = ready; socket.on("connect", () => socket.emit("sync", matchID, playerID, playerCredentials, 2)); });
    seats.push(seat);
  }
  while (!stopped && !seats[0].state.ctx.gameover) {
    const mover = seats[Number(seats[0].state.ctx.currentPlayer)];
    const told = seats.map((seat) => new Promise((next) => { seat.heard = next; }));
    const action = { type: "MAKE_MOVE", payload: { type: "lay", args: [Math.floor(Math.random() * 250)], playerID: mover.playerID, credentials: mover.playerCredentials } };
    const sent = process.hrtime.bigint();
    mover.socket.emit("update", action, mover.state._stateID, matchID, mover.playerID);
    await told[Number(mover.playerID)];
    const took = Number(process.hrtime.bigint() - sent) / 1e6;
    await Promise.all(told);
    if (measuring) latency.push(took);
  }
  seats.forEach((seat) => seat.socket.disconnect());
}

async function slot() { while (!stopped) await match(); }

(async () => {
  const slots = [...Array(matches).keys()].map(slot);
  await new Promise((next) => setTimeout(next, 3000));
  const before = cpu();
  measuring = true;
  await new Promise((next) => setTimeout(next, seconds * 1000));
  measuring = false;
  const used = cpu() - before;
  stopped = true;
  latency.sort((a, b) => a - b);
  const at = (part) => latency[Math.min(latency.length - 1, Math.floor(latency.length * part))].toFixed(1);
  console.log(`${latency.length} moves in ${seconds} s (${(latency.length / seconds).toFixed(0)}/s), server CPU ${used.toFixed(2)} s: ${(latency.length / used).toFixed(0)} moves per CPU-second; acknowledged p50 ${at(0.5)}, p99 ${at(0.99)} ms`);
  process.exit(0);
})();
