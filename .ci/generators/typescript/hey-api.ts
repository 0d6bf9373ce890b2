// A game through the client of @hey-api/openapi-ts.
import assert from "node:assert/strict";
import { type Client, createClient } from "./hey-api/client/index.js";
import * as api from "./hey-api/index.js";

function connect(baseUrl: string | undefined, token?: string): Client {
  return createClient({ baseUrl: baseUrl ?? "", auth: token });
}

function answer<T>({ data, error, response }: { data: T | undefined; error: unknown; response?: Response | undefined }): T {
  assert(data !== undefined, `${response?.status} ${JSON.stringify(error)}`);
  return data;
}

function problem({ error, response }: { error: api.Problem | undefined; response?: Response | undefined }, status: number): api.Problem {
  assert.equal(response?.status, status);
  assert(error !== undefined);
  assert.equal(error.status, status);
  return error;
}

async function plain(baseUrl: string | undefined) {
  const guest = connect(baseUrl);
  const red = connect(baseUrl, answer(await api.openProfile({ client: guest })).token);
  const opened = answer(await api.openProfile({ client: guest, body: { display_name: "Ola" } }));
  const yellow = connect(baseUrl, opened.token);

  const { id: table_id, invite_code } = answer(await api.openTable({ client: red, body: { visibility: "private" } }));
  assert(invite_code !== undefined);
  assert.equal(answer(await api.getInvite({ client: yellow, path: { invite_code } })).id, table_id);
  const game_id = answer(await api.takeSeat({ client: yellow, path: { table_id }, body: { invite_code } })).current_game_id;
  assert(game_id !== undefined);

  const path = { game_id };
  const move = (client: Client, column: number, ply: number) => api.playMove({ client, path, body: { column, ply } });
  assert.equal(answer(await move(red, 1, 1)).ply, 1);
  assert.equal(answer(await move(red, 1, 1)).ply, 1);
  const stale = problem(await move(yellow, 3, 1), 409);
  assert.equal(stale.code, "stale_ply");
  assert.equal(stale.game?.ply, 1);
  for (let ply = 2; ply <= 6; ply++) {
    assert.equal(answer(await move(ply % 2 ? red : yellow, 1, ply)).moves, "1".repeat(ply));
  }
  assert.equal(problem(await move(red, 1, 7), 422).code, "column_full");
  assert.equal(problem(await move(red, 9, 7), 400).errors?.[0]?.pointer, "/column");

  const polled = await api.getGame({ client: red, path, query: { after_version: 1, wait: 25 } });
  const { version } = answer(polled);
  assert.equal(answer(await api.getGame({ client: red, path, query: { after_version: version, wait: 1 } })).ply, 6);
  const etag = polled.response?.headers.get("ETag");
  assert(etag);
  const unchanged = await api.getGame({ client: red, path, headers: { "If-None-Match": etag } });
  assert.equal(unchanged.response?.status, 304);

  for (const [i, column] of [2, 7, 3, 7, 4].entries()) {
    answer(await move(i % 2 ? yellow : red, column, 7 + i));
  }
  const over = answer(await api.getGame({ client: yellow, path }));
  assert.equal(over.status, "finished");
  assert.equal(over.result?.winner, "red");

  const picture: Blob | File = answer(await api.getPicture({ client: yellow, path }));
  assert.match(await picture.text(), /<svg/);
  const games = answer(await api.listProfileGames({ client: yellow, path: { profile_id: opened.profile.id } }));
  assert.equal(games.items[0]?.game_id, game_id);
  assert(answer(await api.listProblems({ client: red })).items.some(({ code }) => code === "stale_ply"));
  assert.equal(problem(await api.getMe({ client: connect(baseUrl, "fir_wrong") }), 401).code, "unauthenticated");
  assert.equal((await api.leaveSeat({ client: yellow, path: { table_id } })).response?.status, 204);
}

async function strange(baseUrl: string | undefined) {
  const guest = connect(baseUrl);
  const red = connect(baseUrl, answer(await api.openProfile({ client: guest })).token);
  const opened = answer(await api.openProfile({ client: guest, body: {} }));
  const yellow = connect(baseUrl, opened.token);
  const { id: table_id, invite_code } = answer(await api.openTable({ client: red }));
  assert(invite_code !== undefined);
  const game_id = answer(await api.takeSeat({ client: yellow, path: { table_id }, body: { invite_code } })).current_game_id;
  assert(game_id !== undefined);
  const path = { game_id };
  answer(await api.playMove({ client: red, path, body: { column: 4, ply: 1 } }));
  assert.equal(problem(await api.playMove({ client: yellow, path, body: { column: 3, ply: 1 } }), 409).game?.ply, 1);
  assert.equal(answer(await api.getGame({ client: red, path })).id, game_id);
  answer(await api.resignGame({ client: yellow, path }));
  assert.equal(answer(await api.getAnalysis({ client: red, path })).plies.length, 1);
  answer(await api.listProfileGames({ client: yellow, path: { profile_id: opened.profile.id } }));
  answer(await api.listProblems({ client: red }));
  problem(await api.getMe({ client: connect(baseUrl, "fir_wrong") }), 401);
  assert.equal((await api.leaveSeat({ client: red, path: { table_id } })).response?.status, 204);
  assert.equal(answer(await api.getTable({ client: yellow, path: { table_id } })).id, table_id);

  const bad = await api.getService({ client: red });
  assert.equal(bad.response?.status, 502);
  assert(bad.error !== undefined);
}

await plain(process.env["PLAIN_URL"]);
await strange(process.env["STRANGE_URL"]);
