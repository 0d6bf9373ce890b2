// A game through openapi-fetch, with the types of openapi-typescript.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./openapi-typescript.js";

type Problem = components["schemas"]["Problem"];
type Failure = { error?: Problem | undefined; response: Response };

function connect(baseUrl: string | undefined, token?: string) {
  return createClient<paths>({ baseUrl: baseUrl ?? "", headers: token === undefined ? {} : { Authorization: `Bearer ${token}` } });
}

function answer<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  assert(data !== undefined, `${response.status} ${JSON.stringify(error)}`);
  return data;
}

function problem({ error, response }: Failure, status: number): Problem {
  assert.equal(response.status, status);
  assert(error !== undefined);
  assert.equal(error.status, status);
  return error;
}

async function plain(baseUrl: string | undefined) {
  const red = connect(baseUrl, answer(await connect(baseUrl).POST("/v1/profiles")).token);
  const opened = answer(await connect(baseUrl).POST("/v1/profiles", { body: { display_name: "Ola" } }));
  const yellow = connect(baseUrl, opened.token);

  const { id: table_id, invite_code } = answer(await red.POST("/v1/tables", { body: { visibility: "private" } }));
  assert(invite_code !== undefined);
  const invite = answer(await yellow.GET("/v1/invites/{invite_code}", { params: { path: { invite_code } } }));
  assert.equal(invite.id, table_id);
  const seated = answer(await yellow.POST("/v1/tables/{table_id}/seats", { params: { path: { table_id } }, body: { invite_code } }));
  const game_id = seated.current_game_id;
  assert(game_id !== undefined);

  const path = { game_id };
  const move = (client: typeof red, column: number, ply: number) =>
    client.POST("/v1/games/{game_id}/moves", { params: { path }, body: { column, ply } });
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

  const polled = await red.GET("/v1/games/{game_id}", { params: { path, query: { after_version: 1, wait: 25 } } });
  const game = answer(polled);
  assert.equal(answer(await red.GET("/v1/games/{game_id}", { params: { path, query: { after_version: game.version, wait: 1 } } })).ply, 6);
  const etag = polled.response.headers.get("ETag");
  assert(etag !== null);
  const unchanged = await red.GET("/v1/games/{game_id}", { params: { path, header: { "If-None-Match": etag } } });
  assert.equal(unchanged.response.status, 304);

  for (const [i, column] of [2, 7, 3, 7, 4].entries()) {
    await move(i % 2 ? yellow : red, column, 7 + i).then(answer);
  }
  const over = answer(await yellow.GET("/v1/games/{game_id}", { params: { path } }));
  assert.equal(over.status, "finished");
  assert.equal(over.result?.winner, "red");

  const picture = answer(await yellow.GET("/v1/games/{game_id}/board.svg", { params: { path }, parseAs: "text" }));
  assert.match(String(picture), /<svg/);
  const profile = { profile_id: opened.profile.id };
  const games = answer(await yellow.GET("/v1/profiles/{profile_id}/games", { params: { path: profile } }));
  assert.equal(games.items[0]?.game_id, game_id);
  assert(answer(await red.GET("/v1/problems")).items.some(({ code }) => code === "stale_ply"));
  assert.equal(problem(await connect(baseUrl, "fir_wrong").GET("/v1/me"), 401).code, "unauthenticated");
  assert.equal((await yellow.DELETE("/v1/tables/{table_id}/seats/me", { params: { path: { table_id } } })).response.status, 204);
}

async function strange(baseUrl: string | undefined) {
  const red = connect(baseUrl, answer(await connect(baseUrl).POST("/v1/profiles")).token);
  const opened = answer(await connect(baseUrl).POST("/v1/profiles", { body: {} }));
  const yellow = connect(baseUrl, opened.token);
  const { id: table_id, invite_code } = answer(await red.POST("/v1/tables"));
  assert(invite_code !== undefined);
  const table = { params: { path: { table_id } } };
  const game_id = answer(await yellow.POST("/v1/tables/{table_id}/seats", { ...table, body: { invite_code } })).current_game_id;
  assert(game_id !== undefined);
  const game = { params: { path: { game_id } } };
  answer(await red.POST("/v1/games/{game_id}/moves", { ...game, body: { column: 4, ply: 1 } }));
  const stale = problem(await yellow.POST("/v1/games/{game_id}/moves", { ...game, body: { column: 3, ply: 1 } }), 409);
  assert.equal(stale.game?.ply, 1);
  assert.equal(answer(await red.GET("/v1/games/{game_id}", game)).id, game_id);
  answer(await yellow.POST("/v1/games/{game_id}/resignation", game));
  assert.equal(answer(await red.GET("/v1/games/{game_id}/analysis", game)).plies.length, 1);
  answer(await yellow.GET("/v1/profiles/{profile_id}/games", { params: { path: { profile_id: opened.profile.id } } }));
  answer(await red.GET("/v1/problems"));
  problem(await connect(baseUrl, "fir_wrong").GET("/v1/me"), 401);
  assert.equal((await red.DELETE("/v1/tables/{table_id}/seats/me", table)).response.status, 204);
  assert.equal(answer(await yellow.GET("/v1/tables/{table_id}", table)).id, table_id);

  const bad = await red.GET("/v1/service");
  assert.equal(bad.response.status, 502);
  assert(bad.error !== undefined);
}

await plain(process.env["PLAIN_URL"]);
await strange(process.env["STRANGE_URL"]);
