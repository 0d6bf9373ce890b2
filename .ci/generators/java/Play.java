// A game through the client of openapi-generator (java, native).

import com.fasterxml.jackson.core.JsonProcessingException;
import fourinarow.ApiClient;
import fourinarow.ApiException;
import fourinarow.api.GamesApi;
import fourinarow.api.InsightsApi;
import fourinarow.api.InvitesApi;
import fourinarow.api.MeApi;
import fourinarow.api.ProfilesApi;
import fourinarow.api.SeatsApi;
import fourinarow.api.ServiceApi;
import fourinarow.api.TablesApi;
import fourinarow.model.Game;
import fourinarow.model.OpenProfileRequest;
import fourinarow.model.OpenTableRequest;
import fourinarow.model.PlayMoveRequest;
import fourinarow.model.Problem;
import fourinarow.model.Side;
import fourinarow.model.TakeSeatRequest;
import fourinarow.model.VisibilityChoice;
import java.nio.file.Files;
import java.util.UUID;

final class Play {
  private final ApiClient client;
  final ProfilesApi profiles;
  final MeApi me;
  final TablesApi tables;
  final InvitesApi invites;
  final SeatsApi seats;
  final GamesApi games;
  final InsightsApi insights;
  final ServiceApi service;

  private Play(String url, String token) {
    client = new ApiClient();
    client.updateBaseUri(url);
    if (token != null) {
      client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    }
    profiles = new ProfilesApi(client);
    me = new MeApi(client);
    tables = new TablesApi(client);
    invites = new InvitesApi(client);
    seats = new SeatsApi(client);
    games = new GamesApi(client);
    insights = new InsightsApi(client);
    service = new ServiceApi(client);
  }

  private Game move(UUID game, int column, int ply) throws ApiException {
    return games.playMove(game, new PlayMoveRequest().column(column).ply(ply));
  }

  private interface Call {
    Object run() throws ApiException;
  }

  private static ApiException failure(int status, Call call) {
    try {
      throw new AssertionError("not refused: " + call.run());
    } catch (ApiException e) {
      check(e.getCode() == status, e);
      return e;
    }
  }

  // The generator leaves the body of a refusal as text.
  private Problem problem(int status, Call call) throws JsonProcessingException {
    Problem problem = client.getObjectMapper().readValue(failure(status, call).getResponseBody(), Problem.class);
    check(problem.getStatus() == status, problem);
    return problem;
  }

  private static void check(boolean ok, Object what) {
    if (!ok) {
      throw new AssertionError(what);
    }
  }

  private static void plain(String url) throws Exception {
    var guest = new Play(url, null);
    var red = new Play(url, guest.profiles.openProfile(null, null).getToken());
    var opened = guest.profiles.openProfile(null, new OpenProfileRequest().displayName("Ola"));
    var yellow = new Play(url, opened.getToken());

    var table = red.tables.openTable(new OpenTableRequest().visibility(VisibilityChoice.PRIVATE));
    check(yellow.invites.getInvite(table.getInviteCode()).getId().equals(table.getId()), table);
    var seated = yellow.seats.takeSeat(table.getId(), new TakeSeatRequest().inviteCode(table.getInviteCode()));
    var id = seated.getCurrentGameId();

    check(red.move(id, 1, 1).getPly() == 1, id);
    check(red.move(id, 1, 1).getPly() == 1, id);
    var stale = yellow.problem(409, () -> yellow.move(id, 3, 1));
    check(stale.getCode().equals("stale_ply") && stale.getGame().getPly() == 1, stale);
    for (int ply = 2; ply <= 6; ply++) {
      var game = (ply % 2 == 1 ? red : yellow).move(id, 1, ply);
      check(game.getMoves().equals("1".repeat(ply)), game);
    }
    var full = red.problem(422, () -> red.move(id, 1, 7));
    check(full.getCode().equals("column_full"), full);
    var invalid = red.problem(400, () -> red.move(id, 9, 7));
    check(invalid.getErrors().get(0).getPointer().equals("/column"), invalid);

    var polled = red.games.getGameWithHttpInfo(id, 1L, 25, null);
    var version = polled.getData().getVersion();
    check(red.games.getGame(id, version, 1, null).getPly() == 6, polled);
    var tag = polled.getHeaders().get("etag").get(0);
    failure(304, () -> red.games.getGame(id, null, null, tag));

    int[] columns = {2, 7, 3, 7, 4};
    for (int i = 0; i < columns.length; i++) {
      (i % 2 == 0 ? red : yellow).move(id, columns[i], 7 + i);
    }
    var over = yellow.games.getGame(id, null, null, null);
    check(over.getStatus().equals("finished") && over.getResult().getWinner() == Side.RED, over);

    var picture = yellow.games.getPicture(id, null, null, null, null).toPath();
    check(Files.readString(picture).contains("<svg"), picture);
    Files.delete(picture);
    var games = yellow.profiles.listProfileGames(opened.getProfile().getId(), null, null, null, null, null);
    check(games.getItems().get(0).getGameId().equals(id), games);
    check(red.service.listProblems(null).getItems().stream().anyMatch(p -> p.getCode().equals("stale_ply")), "no stale_ply");
    var stranger = new Play(url, "fir_wrong");
    check(stranger.problem(401, () -> stranger.me.getMe()).getCode().equals("unauthenticated"), stranger);
    check(yellow.seats.leaveSeatWithHttpInfo(table.getId()).getStatusCode() == 204, table);
  }

  private static void strange(String url) throws Exception {
    var guest = new Play(url, null);
    var red = new Play(url, guest.profiles.openProfile(null, null).getToken());
    var opened = guest.profiles.openProfile(null, new OpenProfileRequest());
    var yellow = new Play(url, opened.getToken());
    var table = red.tables.openTable(new OpenTableRequest());
    var id = yellow.seats.takeSeat(table.getId(), new TakeSeatRequest().inviteCode(table.getInviteCode())).getCurrentGameId();
    red.move(id, 4, 1);
    check(yellow.problem(409, () -> yellow.move(id, 3, 1)).getGame().getPly() == 1, id);
    check(red.games.getGame(id, null, null, null).getId().equals(id), id);
    yellow.games.resignGame(id);
    check(red.insights.getAnalysis(id).getPlies().size() == 1, id);
    yellow.profiles.listProfileGames(opened.getProfile().getId(), null, null, null, null, null);
    red.service.listProblems(null);
    var stranger = new Play(url, "fir_wrong");
    stranger.problem(401, () -> stranger.me.getMe());
    check(red.seats.leaveSeatWithHttpInfo(table.getId()).getStatusCode() == 204, table);
    check(yellow.tables.getTable(table.getId(), null, null, null).getId().equals(table.getId()), table);

    failure(502, () -> red.service.getService(null));
  }

  public static void main(String[] args) throws Exception {
    plain(System.getenv("PLAIN_URL"));
    strange(System.getenv("STRANGE_URL"));
  }
}
