package io.github.fourinarow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.fourinarow.models.Game;
import io.github.fourinarow.models.OwnProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import okhttp3.mockwebserver.MockResponse;
import org.junit.jupiter.api.Test;

class JavaTest {
    private static MockResponse game(int version, String moves, boolean over) {
        return ScriptedKt.json(ScriptedKt.gameOf(version, moves, over, ScriptedKt.GAME, ""), 200);
    }

    private static Scripted scripted(MockResponse... answers) {
        return new Scripted(answers, null);
    }

    @Test
    void aMoveIsPlayedAndWaitedFor() throws Exception {
        try (Scripted server = scripted(ScriptedKt.opened("fir_1"), game(1, "", false), game(2, "4", false))) {
            FourInARowFutures four = new FourInARow(server.getUrl()).futures();
            assertEquals("Ola", FourInARowFutures.await(four.signIn("Ola")).getDisplayName());
            Game game = FourInARowFutures.await(four.game(ScriptedKt.getGame()));
            MoveResult played = FourInARowFutures.await(four.move(game, 4));
            assertInstanceOf(MoveResult.Played.class, played);
            assertEquals("4", played.getGame().getMoves());
        }
    }

    @Test
    void futuresFollowOneAnother() throws Exception {
        try (Scripted server = scripted(game(1, "", false), game(2, "4", false), game(3, "44", true))) {
            FourInARowFutures four = new FourInARow(server.getUrl()).futures();
            List<String> seen = Collections.synchronizedList(new ArrayList<>());
            CompletableFuture<Void> end = four.game(ScriptedKt.getGame())
                .thenCompose(game -> four.move(game, 4))
                .thenCompose(played -> four.follow(played.getGame(), state -> seen.add(state.getMoves())));
            end.join();
            assertEquals("44", seen.get(seen.size() - 1));
        }
    }

    @Test
    void aProblemIsOne() throws Exception {
        try (Scripted server = scripted(ScriptedKt.problem(404, "not_found", "", "/v1/me"))) {
            FourInARowFutures four = new FourInARow(server.getUrl()).futures();
            CompletableFuture<OwnProfile> me = four.call(api -> api.getMe().getMe());
            ProblemException problem = assertThrows(ProblemException.class, () -> FourInARowFutures.await(me));
            assertEquals("not_found", problem.getCode());
            assertEquals(404, problem.getStatus());
        }
    }

    @Test
    void whatIsCancelledIsAProblemToWhoeverWaits() throws Exception {
        try (Scripted server = scripted()) { // it holds every request
            FourInARowFutures four = new FourInARow(server.getUrl()).futures();
            CompletableFuture<Game> game = four.game(ScriptedKt.getGame());
            server.getAsked().take();
            game.cancel(true);
            ProblemException problem = assertThrows(ProblemException.class, () -> FourInARowFutures.await(game));
            assertEquals("cancelled", problem.getCode());
        }
    }
}
